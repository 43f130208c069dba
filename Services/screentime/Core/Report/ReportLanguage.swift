/// The languages that the reports of this command are written in.
package enum ReportLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case korean = "ko"

    /// Nil for any other language.
    package init?(code: String) {
        let first = code.lowercased().prefix { $0 != "-" && $0 != "_" }
        self.init(rawValue: String(first))
    }

    func pick(_ english: String, _ korean: String) -> String { self == .korean ? korean : english }
}
