import STContracts
package import STEngine
import STFollowing
import STPlatform

/// The notification service: one notification per cause, shown on the desktop or in a terminal when due, and a history.
package enum NotifierService {
    /// Returns the definition of the service.
    ///
    /// If `desktop` is false, notifications are stored but not shown. `language` is the account's.
    package static func definition(
        desktop: Bool = true,
        language: String = "en"
    ) -> ServiceDefinition<NotifierState> {
        ServiceDefinition(
            name: .notifier,
            migrations: NotifierTables.migrations,
            streams: [.notification],
            load: { database in
                var state = NotifierState(household: try Household(database))
                state.desktop.state = desktop ? .unknown : .off
                state.language = DisplayLanguage(of: language)
                state.counts = try NotifierTables.counts(database)
                return state
            },
            begin: { try NotifySteps.resume(&$0, $1) },
            routes: routes,
            subscriptions: [.members(\.household), history, requests],
            figures: { state in
                [
                    "notifications_waiting": state.counts[.waiting] ?? 0,
                    "notifications_failed": state.counts[.failed] ?? 0,
                    "notifications_uncertain": state.counts[.uncertain] ?? 0,
                ]
            }
        )
    }

    private static var routes: [ServiceRoute<NotifierState>] {
        [
            counting(NotifyPost.self) { try NoticeJournal.post($1, state: $0, context: $2, change: $3) },
            .query(NotifyList.self) { state, request, _, database in
                var reply = try NotifierTables.page(
                    request,
                    waitingNote: state.waitingNote,
                    database: database
                )
                reply.desktop = state.desktop
                reply.uncertain = state.counts[.uncertain] ?? 0
                return reply
            },
            counting(NotifyWithdraw.self) { try NoticeJournal.withdraw($1, state: $0, change: $3) },
            counting(NotifyRequest.self) { state, request, _, change in
                try RequestNotifications.notifyGuardian(
                    guardian: request.member,
                    request.news,
                    on: request.machine,
                    state: state,
                    change: change
                )
                return Empty()
            },
            counting(NotifyAnswer.self) { try NoticeAnswers.answer($1, context: $2, change: $3) },
            counting(NotifyShown.self) {
                try NoticeAnswers.handleShown($1, state: $0, context: $2, change: $3)
            },
        ]
    }

    /// Creates a write route that counts the notifications again afterwards.
    private static func counting<R: Route>(
        _ route: R.Type,
        _ work:
            @escaping @Sendable (NotifierState, R.Request, RequestContext, StoreTransaction) throws -> R.Reply
    ) -> ServiceRoute<NotifierState> {
        .write(route) { state, request, context, change in
            let reply = try work(state, request, context, change)
            try NotifySteps.refreshCounts(&state, change)
            return reply
        }
    }

    /// Notifies the guardians who can answer a request for more time, and the person who made the request about the answer.
    private static var requests: Subscription<NotifierState> {
        Subscription(
            source: .shield,
            stream: .shield,
            reset: { _, _ in },
            apply: { state, event, change in
                guard event.header.type == RequestChanged.type,
                    change.now.wall - WallTime(ms: event.header.timeMs) < NoticeJournal.ageMax
                else { return }
                try RequestNotifications.handle(
                    try event.decoded(RequestChanged.self),
                    state: state,
                    change: change
                )
                try NotifySteps.refreshCounts(&state, change)
            }
        )
    }

    /// Notifies guardians immediately of important changes in the history. This service also stores the proof of the history's
    /// length.
    private static var history: Subscription<NotifierState> {
        Subscription(
            source: .activity,
            stream: .history(of: .activity),
            reset: { _, _ in },
            apply: { state, event, change in
                guard event.header.type == EventInfo(historyOf: .activity).type else { return }
                let line = try HistoryLine.decodedBody(event.body)
                guard change.now.wall - WallTime(ms: line.wallMs) < NoticeJournal.ageMax else { return }
                for member in state.recipients(of: line) {
                    let request = NotifyPost.Request(
                        app: BuiltInRules.app,
                        member: member,
                        id: "history-\(line.row ?? 0)-\(member)",
                        title: line.condition?.title.text(in: state.language)
                            ?? state.language.text("notification.screen-time", "Screen Time"),
                        body: TextFormat.truncated(
                            line.text(in: state.language),
                            bytes: NotifyPost.bodyBytesMax
                        )
                    )
                    _ = try NoticeJournal.post(request, state: state, context: nil, change: change)
                }
                try NotifySteps.refreshCounts(&state, change)
            }
        )
    }
}
