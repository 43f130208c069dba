package import STPlatform

/// The language in which a command speaks: that of the person at the terminal.
///
/// A sentence stands in both languages beside each other, so that a change of one shows the other. What programs read stays
/// English.
package enum Speech {
    @TaskLocal package static var language = WordLanguage.english

    static func say(_ english: @autoclosure () -> String, _ korean: @autoclosure () -> String) -> String {
        language == .korean ? korean() : english()
    }

    /// `1 h 30 min`, `1시간 30분`.
    static func duration(ms: Int64) -> String { TextFormat.duration(ms: ms, in: language) }
}
