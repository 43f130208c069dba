package import STContracts
import STDomain
import STPlatform

/// What is kept in memory beside the tables of sums: short numbers, ends of lanes, what is under way, and names.
package struct ReportState: Sendable {
    /// Between two commits it has nothing to write.
    var fold = UsageFold()
    /// Other devices whose past was imported.
    var devices: [String: ImportedDevice] = [:]
    /// What apps and sites are called.
    var facts: [String: SubjectFacts] = [:]
    /// Which apps may see whose use.
    package var apps = ReportApps()

    /// Grows each time all figures are dropped; a page made of earlier ones may show what is gone for good.
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
            "The figures are being rebuilt, so some of them are missing. Try again in a moment.",
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

/// The household, its apps and their permissions: a copy of what auth-service publishes.
package struct ReportApps: Sendable, Equatable {
    package struct App: Sendable, Equatable {
        /// As the app calls itself.
        package var name: String
        /// The executable of its report extension; nil when it has none.
        package var executable: String?
        package var bundle: String
        /// What this computer is to its filters.
        package var model: ReportModel

        init(_ app: InstalledApp) {
            let point = ExtensionPoint.report.rawValue
            name = app.manifest.name
            executable = app.manifest.extensions.first { $0.point == point }?.executable
            bundle = app.bundle
            let declared = app.manifest.deviceModel.flatMap { ReportModel(rawValue: $0.lowercased()) }
            model = declared.flatMap { $0 == .unknown ? nil : $0 } ?? .mac
        }
    }

    package struct Permission: Sendable, Hashable {
        package var app: String
        package var member: String
    }

    /// Whether each member is a child.
    package internal(set) var children: [String: Bool] = [:]
    package internal(set) var installed: [String: App] = [:]
    /// The permissions in force.
    package internal(set) var approved: Set<Permission> = []
    /// Whether the whole stream of auth-service has been read; until then something may be missing.
    package internal(set) var isWhole = false

    /// All who let this app see their use, in the order of their names.
    func members(of app: String) -> [String] {
        approved.filter { $0.app == app }.map(\.member).sorted()
    }
}
