package import STContracts

/// The household, its apps and what members let them do: a copy of what auth-service says.
package struct ReportApps: Sendable, Equatable {
    package struct App: Sendable, Equatable {
        /// As the app calls itself.
        package var name: String
        /// Of its report extension; nil when it has none.
        package var executable: String?
        package var bundle: String
        /// What this computer is to its filters.
        package var model: ReportModel
    }

    package struct Permission: Sendable, Hashable {
        package var app: String
        package var member: String
    }

    /// Whether each member is a child.
    package internal(set) var children: [String: Bool] = [:]
    package internal(set) var installed: [String: App] = [:]
    /// Those that stand now.
    package internal(set) var approved: Set<Permission> = []
    /// Whether all that auth-service has said is known: until then something may be missing.
    package internal(set) var isWhole = false

    /// All who let this app see their use, in the order of their names.
    func members(of app: String) -> [String] {
        approved.filter { $0.app == app }.map(\.member).sorted()
    }
}

extension ReportApps.App {
    init(_ app: InstalledApp) {
        let point = ExtensionPoint.report.rawValue
        name = app.manifest.name
        executable = app.manifest.extensions.first { $0.point == point }?.executable
        bundle = app.bundle
        let declared = app.manifest.deviceModel.flatMap { ReportModel(rawValue: $0.lowercased()) }
        model = declared.flatMap { $0 == .unknown ? nil : $0 } ?? .mac
    }
}
