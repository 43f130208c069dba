import STContracts
import STDomain
import STPlatform

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

    /// One more each time all figures are forgotten; what was made of earlier ones may show what is gone for good.
    var generation: Int64 = 0
    /// Whether the figures are being built from the stream: until that is done a part of them is missing.
    var isBuilding = false

    /// What was applied since a rebuild was about to end; nil when none is.
    var tail: [WireEvent]?
    /// How far the figures were when that began.
    var tailFrom: Int64 = 0

    package init() {}

    func requireFigures() throws {
        guard isBuilding else { return }
        throw Problem(
            "report.rebuilding",
            "The figures are being built anew at this moment, so a part of them is missing. Ask again in a moment.",
            retryable: true,
            help: "screentime status"
        )
    }

    /// All apps and sites that are named; activity-center keeps fewer.
    static let factsMax = 50_000

    static let sitePrefix = "site:"

    /// One name for an app, however a desktop spells it, as activity-center has it.
    static func key(_ subject: String) -> String {
        subject.hasPrefix(sitePrefix) ? subject : CategoryMap.normal(app: subject)
    }
}
