import STContracts
package import STEngine
import STPlatform
import STStore

/// Use by local hours and days, from the stream `usage`.
package enum ReportService {
    package static func definition() -> ServiceDefinition<ReportState> {
        ServiceDefinition(
            name: .report,
            migrations: ReportTables.migrations + Hosting.migrations,
            load: { database in
                ModelFile.remove(ModelFile.path(beside: database.path))
                var state = try ReportFollowing.load(database)
                try Hosting.load(into: &state, database)
                return state
            },
            routes: queries + Hosting.handlers.routes,
            subscriptions: [ReportFollowing.usage, ReportFollowing.names, HostingFollowing.authorization]
        )
    }

    private static var queries: [ServiceRoute<ReportState>] {
        [
            .query(ReportDay.self) { state, request, context, database in
                try state.requireFigures()
                return try DayReport.day(request, state, context, database)
            },
            .query(ReportUsage.self) { state, request, context, database in
                try state.requireFigures()
                return try UsageReport.usage(request, state, context, database)
            },
            .query(ReportCoverage.self) { state, _, context, database in
                try CoverageReport.coverage(state, context.now.wallMs, database)
            },
            .query(ReportRebuild.self) { _, _, context, _ in
                guard let reply = try context.prepared.of(ReportRebuild.self) else {
                    throw Problem(
                        "unavailable",
                        "Nobody here can build the figures anew at the moment.",
                        retryable: true
                    )
                }
                return reply
            }
            .after(.of(ReportRebuild.self, .companion, for: ReportRebuild.self) { _, request, _ in request }),
        ]
    }
}
