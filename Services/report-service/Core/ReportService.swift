import STContracts
import STDomain
package import STEngine
import STPlatform

/// Use per local day, from the `usage` stream.
package enum ReportService {
    package static func definition() -> ServiceDefinition<ReportState> {
        ServiceDefinition(
            name: .report,
            migrations: ReportStore.migrations + Hosting.migrations,
            load: { database in
                var state = ReportState()
                try Hosting.load(into: &state, database)
                return state
            },
            routes: [
                .query(ReportDay.self) { _, request, context, database in
                    try ReportQuery.day(request, context, database)
                }
            ] + Hosting.routes,
            subscriptions: [usage, HostingFollowing.authorization]
        )
    }

    private static var usage: Subscription<ReportState> {
        Subscription(
            source: .activity,
            stream: .usage,
            reset: { _, change in try ReportStore.forget(change.database) },
            apply: { _, event, change in
                switch event.header.type {
                case SegmentOpened.type:
                    try ReportStore.open(try event.decoded(SegmentOpened.self), change.database)
                case SegmentClosed.type:
                    try ReportStore.close(try event.decoded(SegmentClosed.self), change.database)
                default: break
                }
            }
        )
    }
}
