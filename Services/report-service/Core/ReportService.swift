import STContracts
package import STEngine
import STPlatform
import STStore

/// Use by local hours and days, added up from the stream `usage`, and the reports of apps.
package enum ReportService {
    package static func definition() -> ServiceDefinition<ReportState> {
        ServiceDefinition(
            name: .report,
            migrations: ReportTables.migrations + Hosting.migrations + ReportTables.later,
            load: { database in
                ModelFile.remove(ModelFile.path(beside: database.path))
                var state = try ReportFollowing.load(database)
                try Hosting.load(into: &state, database)
                return state
            },
            routes: ReportRoutes.figures + Hosting.handlers.routes,
            subscriptions: [ReportFollowing.usage, ReportFollowing.names, HostingFollowing.authorization],
            isRebuilt: true
        )
    }
}

/// The part of report-service that serves the reports of apps.
package enum Hosting {
    static let migrations = [ReportAppTable.migration, OutputStore.migration]

    package static let handlers = HostingHandlers(figures: figures)

    static func load(into state: inout ReportState, _ database: Database) throws {
        state.apps = try ReportAppTable.load(database)
    }

    private static let figures = ReportFigures(
        usage: { request, state, context, database in
            try UsageReport.usage(request, state, context, database, isStrict: false)
        },
        knows: { member, device, state in
            let named = ReportNames.Who(device: device == ReportDevice.this ? "" : device, member: member)
            if state.fold.names.whos.contains(named) { return true }
            // What is under way for the first time has no number yet.
            return state.fold.open.values.contains {
                $0.member == member && ($0.device ?? "") == named.device
            }
        },
        devices: { CoverageReport.devices($0) },
        name: { item, language, state in
            switch item.kind {
            case .application: UsageLabels(state, language).name(app: item.id)
            case .domain, .category, .unknown: nil
            }
        }
    )
}

/// What the routes for apps read from the figures; a test gives its own.
struct ReportFigures: Sendable {
    var usage:
        @Sendable (ReportUsage.Request, ReportState, RequestContext, Database) throws -> ReportUsage.Reply
    /// Whether anything is known of a member's use of a device.
    var knows: @Sendable (String, String, ReportState) -> Bool
    /// All devices whose use is known, this one among them.
    var devices: @Sendable (ReportState) -> [ReportDevice]
    /// What people call an app or a site, in a language; nil when no name is known.
    var name: @Sendable (TokenItem, String, ReportState) -> String?
}
