import STContracts
import STDomain

/// What is kept in memory beside the tables of sums: short numbers, ends of lanes, what is under way, and names.
package struct ReportState: Sendable {
    /// Between two commits it has nothing to write.
    var fold = UsageFold()
    /// Other devices whose past was brought here.
    var devices: [String: ImportedDevice] = [:]
    /// What apps and sites are called.
    var facts: [String: SubjectFacts] = [:]
    /// Which apps may see whose use.
    package var apps = ReportApps()

    /// What was applied since a rebuild was about to end; nil when none is.
    var tail: [WireEvent]?

    package init() {}

    /// All apps and sites that are named; activity-center keeps fewer.
    static let factsMax = 50_000

    static let sitePrefix = "site:"

    /// One name for an app, however a desktop spells it, as activity-center has it.
    static func key(_ subject: String) -> String {
        subject.hasPrefix(sitePrefix) ? subject : CategoryMap.normal(app: subject)
    }
}
