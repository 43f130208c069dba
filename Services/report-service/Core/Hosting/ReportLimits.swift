import STDomain

/// What apps may ask of reports, and how much is kept of what they make.
package enum ReportLimits {
    /// Of an interval by hours: a year, and the hour that a clock may be set back in it.
    package static let hoursMs: Int64 = (366 * 24 + 1) * 3_600_000
    /// Of an interval by days or weeks: ten years.
    package static let daysMs: Int64 = 3_660 * 24 * 3_600_000
    /// Moments whose local hours are known.
    package static let wallMs: ClosedRange<Int64> = 0...ZoneRules.lastMs
    package static let contextBytes = 200
    package static let languageBytes = 35
    /// Reports that one app offers.
    package static let contexts = 100
    /// Reports that are being made, or wait for that.
    package static let renders = 32
    /// Of them those of one app.
    package static let rendersOfApp = 4
    /// Pages of the read model that are looked through for one of an app: others wait meanwhile.
    static let pagesPerReply = 50
    /// Reports that were made and can be fetched, each of at most `PageLimits.bytes`.
    package static let pages = 16
    /// As many tokens as auth-service gives at once.
    package static let tokens = 500
}
