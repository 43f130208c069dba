import STContracts
package import STEngine
import STPlatform
import STStore

/// Defines monitor-runner. It saves callbacks before the first attempt, makes them in order, and never drops one.
package enum MonitorService {
    /// `attempts`: the number of failures after which a callback is parked.
    package static func definition(
        attempts: Int64 = DeliveryVerdict.attempts
    ) -> ServiceDefinition<MonitorState> {
        ServiceDefinition(
            name: .monitor,
            migrations: [
                PermissionTables.migration, DeliveryTables.migration, OutputStore.migration,
            ] + FormerRuleTables.migrations,
            streams: [.delivery],
            passing: [.delivery: [DeliveryChanged.type]],
            load: {
                var state = try PermissionTables.load($0)
                state.attempts = attempts
                return state
            },
            begin: { _, change in
                try FormerRuleTables.emptyIfCopied(change)
                try DeliverySteps.resume(change)
            },
            routes: routes + OutputRoutes.all(MonitorLog.self) + forwarded,
            subscriptions: MonitorFollowing.subscriptions
        )
    }

    /// Requests for rules, which clients of earlier versions send to this service.
    private static let forwarded: [ServiceRoute<MonitorState>] = [
        .forward(RuleAdd.self, to: .activity), .forward(RuleEdit.self, to: .activity),
        .forward(RuleList.self, to: .activity), .forward(RuleRemove.self, to: .activity),
        .forward(RulePause.self, to: .activity), .forward(RuleDelay.self, to: .activity),
    ]

    private static var routes: [ServiceRoute<MonitorState>] {
        [
            .query(MonitorDeliveries.self) { _, request, _, database in
                try DeliveryJournal.page(request, database)
            },
            .query(MonitorDelivery.self) { _, request, _, database in
                try DeliveryJournal.show(request.id, database)
            },
            .write(MonitorRetry.self) { _, request, _, change in
                try DeliveryJournal.retry(request.delivery, change)
            },
            .write(MonitorDebug.self) { state, request, _, _ in try debug(request, &state) },
        ]
    }

    private static func debug(_ request: MonitorDebug.Request, _ state: inout MonitorState) throws
        -> MonitorDebug.Reply
    {
        guard request.on else {
            state.debugged[request.app] = nil
            return MonitorDebug.Reply(app: request.app, on: false)
        }
        guard let monitor = state.monitors[request.app] else {
            throw Problem(
                "app.not_installed",
                "\(request.app, "app") is not installed.",
                field: "/app",
                help: "screentime app install FOLDER"
            )
        }
        guard monitor != nil else {
            throw Problem(
                "app.no_monitor",
                "\(request.app, "app") has no monitor extension.",
                field: "/app"
            )
        }
        if state.debugged[request.app] == nil { state.debugged[request.app] = .some(nil) }
        return MonitorDebug.Reply(app: request.app, on: true, pid: state.debugged[request.app] ?? nil)
    }
}
