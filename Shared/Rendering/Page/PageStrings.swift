package import STPlatform

/// The texts of Screen Time on a page, in the reader's language.
package struct PageStrings: Sendable {
    let language: DisplayLanguage

    package init(language: String) { self.language = DisplayLanguage(of: language) }

    package func text(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    package var title: String { text("page.screen-time-report", "Screen Time report") }
    package var values: String { text("page.show-values", "Show values") }
    package var key: String { text("page.name", "Name") }
    package var value: String { text("page.value", "Value") }
    package var series: String { text("page.series", "Series") }
    package var part: String { text("page.share", "Share") }
    package var chart: String { text("page.chart", "Chart") }
    package var progress: String { text("page.progress", "Progress") }
    package var loading: String { text("page.loading", "Loading") }
    package var scrolls: String { text("page.scrolls-sideways", "Scrolls sideways") }
    package var nothing: String { text("page.nothing-to-show", "Nothing to show.") }
    package var noData: String { text("page.no-data", "No data") }
    package var broken: String { text("page.this-page-cannot-be", "This page cannot be shown.") }
    package var selection: String { text("page.selection", "Selection") }
    package var none: String { text("page.none", "None") }

    package func missing(report context: String) -> String {
        text("page.there-is-no-report", "There is no report “\(context, "context")”.")
    }

    package func more(_ count: Int) -> String { text("page.more", "+\(count, "count") more") }

    /// Returns the description of a chart without its own.
    package func summary(marks: Int) -> String {
        language.text(
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
