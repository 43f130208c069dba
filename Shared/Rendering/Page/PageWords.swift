import STPlatform

/// The few words of our own on a page, in the language of its reader.
package struct PageWords: Sendable {
    let language: WordLanguage

    package init(language: String) { self.language = WordLanguage(of: language) }

    package var isKorean: Bool { language == .korean }

    package func choose(_ english: String, _ korean: String) -> String { language.pick(english, korean) }

    package var title: String { choose("Screen Time report", "스크린 타임 리포트") }
    package var values: String { choose("Show values", "값 보기") }
    package var key: String { choose("Name", "이름") }
    package var value: String { choose("Value", "값") }
    package var series: String { choose("Series", "계열") }
    package var part: String { choose("Share", "비율") }
    package var chart: String { choose("Chart", "차트") }
    package var progress: String { choose("Progress", "진행률") }
    package var loading: String { choose("Loading", "불러오는 중") }
    package var scrolls: String { choose("Scrolls sideways", "옆으로 스크롤") }
    package var nothing: String { choose("Nothing to show.", "표시할 내용이 없습니다.") }
    package var noData: String { choose("No data", "데이터 없음") }
    package var broken: String { choose("This page cannot be shown.", "이 페이지를 표시할 수 없습니다.") }
    package var selection: String { choose("Selection", "선택") }
    package var none: String { choose("None", "없음") }

    package func missing(report context: String) -> String {
        choose("There is no report “\(context)”.", "리포트 “\(context)”가 없습니다.")
    }

    package func more(_ count: Int) -> String { choose("+\(count) more", "외 \(count)개") }

    /// What a chart without a sentence of its own says.
    package func summary(marks: Int) -> String {
        isKorean ? "차트, 값 \(marks)개" : marks == 1 ? "Chart with 1 value" : "Chart with \(marks) values"
    }
}

extension String {
    /// Nil when there is nothing in it to be seen or heard.
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
