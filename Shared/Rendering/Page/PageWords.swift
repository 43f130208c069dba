package import STPlatform

/// The texts of Screen Time on a page, in the reader's language.
package struct PageWords: Sendable {
    let language: WordLanguage

    package init(language: String) { self.language = WordLanguage(of: language) }

    package func say(_ key: String, _ text: MessageText) -> String { language.say(key, text) }

    package var title: String { say("page.screen-time-report", "Screen Time report") }
    package var values: String { say("page.show-values", "Show values") }
    package var key: String { say("page.name", "Name") }
    package var value: String { say("page.value", "Value") }
    package var series: String { say("page.series", "Series") }
    package var part: String { say("page.share", "Share") }
    package var chart: String { say("page.chart", "Chart") }
    package var progress: String { say("page.progress", "Progress") }
    package var loading: String { say("page.loading", "Loading") }
    package var scrolls: String { say("page.scrolls-sideways", "Scrolls sideways") }
    package var nothing: String { say("page.nothing-to-show", "Nothing to show.") }
    package var noData: String { say("page.no-data", "No data") }
    package var broken: String { say("page.this-page-cannot-be", "This page cannot be shown.") }
    package var selection: String { say("page.selection", "Selection") }
    package var none: String { say("page.none", "None") }

    package func missing(report context: String) -> String {
        say("page.there-is-no-report", "There is no report “\(context, "context")”.")
    }

    package func more(_ count: Int) -> String { say("page.more", "+\(count, "count") more") }

    /// Returns the description of a chart without its own.
    package func summary(marks: Int) -> String {
        language.say(
            "page.chart-with-values",
            count: marks,
            one: "Chart with 1 value",
            other: "Chart with \(marks, "count") values"
        )
    }
}

extension String {
    /// The string, or nil if it contains no visible or audible character.
    var orNil: String? {
        let isSilent: (Unicode.Scalar) -> Bool = { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
                .unassigned, .nonspacingMark:
                true
            default: false
            }
        }
        return unicodeScalars.allSatisfy(isSilent) ? nil : self
    }
}
