import STContracts
package import STEngine
import STPlatform
import STStore

/// The service that sums up the stream `usage` by local hours and days, and serves the reports of apps.
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
            try UsageReport.usage(
                request,
                state: state,
                context: context,
                database: database,
                isStrict: false
            )
        },
        isKnown: { member, device, state in
            let named = ReportNames.UsageOwner(
                device: device == ReportDevice.this ? "" : device,
                member: member
            )
            if state.fold.names.owners.contains(named) { return true }
            // The first interval has no number yet while it is open.
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

/// The figures that the routes for apps read. A test supplies its own.
struct ReportFigures: Sendable {
    var usage:
        @Sendable (ReportUsage.Request, ReportState, RequestContext, Database) throws -> ReportUsage.Reply
    /// Returns true if anything is recorded for a member at a device.
    var isKnown: @Sendable (String, String, ReportState) -> Bool
    /// Returns all devices with recorded usage, including this one.
    var devices: @Sendable (ReportState) -> [ReportDevice]
    /// Returns the display name of an app or a site in a language. Returns `nil` if the name is unknown.
    var name: @Sendable (TokenItem, String, ReportState) -> String?
}
