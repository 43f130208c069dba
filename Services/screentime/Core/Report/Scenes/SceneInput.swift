package import STContracts
package import STPlatform

/// All that a built-in scene is made from: the same input is always the same page.
package struct SceneInput: Sendable {
    package var language: WordLanguage
    package var clock: LocalClock
    package var period: ReportPeriod
    package var nowMs: Int64
    /// What the rows tell apart.
    package var key: ReportKey
    /// How many of them are told of one by one.
    package var top: Int
    /// Whether each row says what it was in the period before.
    package var compares: Bool
    package var member: String?
    /// As people call it.
    package var device: String?
    package var material: ReportMaterial

    package init(
        language: WordLanguage,
        clock: LocalClock,
        period: ReportPeriod,
        nowMs: Int64,
        key: ReportKey,
        top: Int,
        compares: Bool = false,
        member: String? = nil,
        device: String? = nil,
        material: ReportMaterial
    ) {
        self.language = language
        self.clock = clock
        self.period = period
        self.nowMs = nowMs
        self.key = key
        self.top = top
        self.compares = compares
        self.member = member
        self.device = device
        self.material = material
    }

    var words: ReportWords { ReportWords(language) }
    var dates: ReportDates { ReportDates(language) }
    var names: ReportNames { ReportNames(language, material.coverage) }
    var usage: ReportUsage.Reply { material.usage }

    /// All segments as one.
    var whole: ReportTotals { ReportTotals(usage.segments) }

    var isEmpty: Bool { whole.usedMs == 0 && whole.pickups == 0 && whole.notifications == 0 }
}
