import STContracts
package import STEngine
import STPlatform
import STStore

/// The callbacks to extensions: written down before they are tried, made in order, never dropped.
package enum MonitorService {
    /// `attempts`: how often a callback may fail before it is parked; `language`: in which rules say something.
    package static func definition(
        attempts: Int64 = DeliveryVerdict.attempts,
        language: String = "en"
    ) -> ServiceDefinition<MonitorState> {
        let words = NoticeWords(language: language)
        return ServiceDefinition(
            name: .monitor,
            migrations: [
                PermissionStore.migration, DeliveryStore.migration, OutputStore.migration,
                RuleStore.migration, RuleDelayStore.migration, RuleShieldStore.migration,
            ],
            streams: [.delivery],
            load: {
                var state = try PermissionStore.load($0)
                state.rules = try RuleStore.load($0)
                state.rules.words = words
                state.attempts = attempts
                return state
            },
            begin: { state, change in
                try RuleStore.begin(&state.rules, change)
                try DeliveryJournal.resume(change)
            },
            routes: routes + OutputRoutes.all(MonitorLog.self) + RuleService.routes + RuleDelaying.routes,
            subscriptions: MonitorFollowing.subscriptions
        )
    }

    private static var routes: [ServiceRoute<MonitorState>] {
        [
            .query(MonitorDeliveries.self) { _, request, _, database in try deliveries(request, database) },
            .query(MonitorDelivery.self) { _, request, _, database in
                try DeliveryJournal.show(request.id, database)
            },
            .write(MonitorRetry.self) { _, request, _, change in
                try DeliveryJournal.retry(request.delivery, change)
            },
            .write(MonitorDebug.self) { state, request, _, _ in try debug(request, &state) },
        ]
    }

    private static let pageMax: Int64 = 100

    private static func deliveries(_ request: MonitorDeliveries.Request, _ database: Database) throws
        -> MonitorDeliveries.Reply
    {
        let limit = Int(min(max(1, request.limit ?? pageMax), pageMax))
        let below = try request.next.map { text -> Int64 in
            guard let number = Int64(text), number > 0 else {
                throw Problem(
                    "page.invalid",
                    "Send back `next` exactly as the reply had it.",
                    field: "/next"
                )
            }
            return number
        }
        let found = try DeliveryStore.page(
            app: request.app,
            state: try request.state?.required("/state"),
            below: below ?? .max,
            limit: limit + 1,
            database
        )
        var fitting: [DeliveryView] = []
        var bytes = 0
        for view in found.prefix(limit) {
            bytes += try view.encodedBody().count
            if bytes > BusLimits.pageBytes, !fitting.isEmpty { break }
            fitting.append(view)
        }
        let last =
            fitting.count < found.count ? fitting.last.flatMap { Delivery.number(of: $0.delivery) } : nil
        return MonitorDeliveries.Reply(deliveries: fitting, next: last.map(String.init))
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
