package import STContracts
import STDomain
import STPlatform

/// The state in memory besides the tables of sums: short numbers, ends of lanes, open intervals, and names.
package struct ReportState: Sendable {
    /// The sums to write. Empty between two commits.
    var fold = UsageAggregator()
    /// The other devices whose past was imported.
    var devices: [String: ImportedDevice] = [:]
    /// The names of apps and sites.
    var facts: [String: SubjectFacts] = [:]
    /// The permissions of apps to see usage.
    package var apps = ReportApps()

    /// Incremented each time all figures are dropped. A page of an earlier generation may show deleted usage.
    var generation: Int64 = 0
    /// True while the figures are built from the stream and therefore incomplete.
    var isBuilding = false

    /// The events applied since the end of a rebuild was prepared. `nil` if there is none.
    var tail: [WireEvent]?
    /// The position of the figures at that moment.
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

    /// Upper bound on the named apps and sites. activity-center keeps fewer.
    static let factsMax = 50_000

    static let sitePrefix = "site:"

    /// Returns one key for all spellings of an app on desktops, as in activity-center.
    static func key(_ subject: String) -> String {
        subject.hasPrefix(sitePrefix) ? subject : CategoryMap.normal(app: subject)
    }
}

/// The household, its apps and their permissions: a copy of what auth-service publishes.
package struct ReportApps: Sendable, Equatable {
    package struct App: Sendable, Equatable {
        /// The app's name from its manifest.
        package var name: String
        /// The executable of its report extension. `nil` if there is none.
        package var executable: String?
        package var bundle: String
        /// The model of this computer for the app's filters.
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

    /// For each member, true if it is a child.
    package internal(set) var children: [String: Bool] = [:]
    package internal(set) var installed: [String: App] = [:]
    /// The permissions in force.
    package internal(set) var approved: Set<Permission> = []
    /// True once the whole stream of auth-service has been read. Until then something may be missing.
    package internal(set) var isWhole = false

    /// Returns the members who allow this app to see their usage, sorted by name.
    func members(of app: String) -> [String] {
        approved.filter { $0.app == app }.map(\.member).sorted()
    }
}
