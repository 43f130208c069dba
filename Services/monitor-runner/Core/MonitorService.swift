import STContracts
package import STEngine
import STFollowing
import STPlatform
import STStore

/// Callbacks to extensions: saved before the first attempt, made in order, never dropped.
package enum MonitorService {
    /// `attempts`: how often a callback may fail before it is parked; `language`: the language of the rules' notices;
    package static func definition(
        attempts: Int64 = DeliveryVerdict.attempts,
        language: String = "en"
    ) -> ServiceDefinition<MonitorState> {
        let words = NoticeWords(language: language)
        return ServiceDefinition(
            name: .monitor,
            migrations: [
                PermissionTables.migration, DeliveryTables.migration, OutputStore.migration,
            ] + RuleTables.migrations + [
                FactFollowing.facts, RuleTables.sharing, RuleTables.decisions,
            ],
            streams: [.delivery, .decision],
            passing: [.delivery: [DeliveryChanged.type]],
            load: {
                var state = try PermissionTables.load($0)
                state.rules = try RuleTables.load($0)
                state.rules.words = words
                state.rules.words.facts = try FactFollowing.load($0, hasLists: false)
                state.attempts = attempts
                return state
            },
            begin: { state, change in
                try RuleTables.begin(&state.rules, change)
                try DeliverySteps.resume(&state, change)
            },
            routes: routes + OutputRoutes.all(MonitorLog.self) + RuleRoutes.all + [
                RuleRoutes.follow
            ],
            subscriptions: MonitorFollowing.subscriptions
        )
    }

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
                "\(request.app) is not installed.",
                field: "/app",
                help: "screentime app install FOLDER"
            )
        }
        guard monitor != nil else {
            throw Problem("app.no_monitor", "\(request.app) has no monitor extension.", field: "/app")
        }
        if state.debugged[request.app] == nil { state.debugged[request.app] = .some(nil) }
        return MonitorDebug.Reply(app: request.app, on: true, pid: state.debugged[request.app] ?? nil)
    }
}
