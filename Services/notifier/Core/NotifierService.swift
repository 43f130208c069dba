import STContracts
package import STEngine
import STPlatform

/// What people are told: one notification per cause, when it is due, by whatever shows it, and a history of them.
package enum NotifierService {
    /// `desktop`: whether they are shown; otherwise they are only written down.
    package static func definition(desktop: Bool = true) -> ServiceDefinition<NotifierState> {
        ServiceDefinition(
            name: .notifier,
            migrations: NotifierStore.migrations,
            streams: [.notification],
            load: { database in
                var state = NotifierState(members: try NotifierStore.members(database))
                state.desktop.state = desktop ? .unknown : .off
                state.counts = try NoticeStore.counts(database)
                return state
            },
            begin: { try NoticeDelivery.resume(&$0, $1) },
            routes: routes + steps,
            subscriptions: [members],
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
            counting(NotifyPost.self) { try NoticeJournal.post($1, $0, $2, $3) },
            .query(NotifyList.self) { state, request, _, database in
                var reply = try NoticeStore.page(request, state.waitingNote, database)
                reply.desktop = state.desktop
                reply.uncertain = state.counts[.uncertain] ?? 0
                return reply
            },
            counting(NotifyWithdraw.self) { try NoticeJournal.withdraw($1, $0, $3) },
            counting(NotifyAnswer.self) { try NoticeAnswers.answer($1, $3) },
            counting(NotifyShown.self) { try NoticeAnswers.shown($1, $0, $3) },
        ]
    }

    private static var steps: [ServiceRoute<NotifierState>] {
        [
            .query(NotifyNext.self) { try NoticeDelivery.next($1, $2, $3) },
            counting(NotifyTick.self) {
                try NoticeJournal.tick($0, $2, $3)
                return Empty()
            },
            counting(NotifyBegin.self) { try NoticeDelivery.begin($1, $3) },
            counting(NotifyFinish.self) {
                try NoticeDelivery.finish($1, $3)
                return Empty()
            },
            counting(NotifyHeard.self) { _, request, _, change in
                let screen = NoticeScreen(id: request.screen, owner: request.owner)
                if let action = request.action {
                    try NoticeAnswers.pressed(screen, action, change)
                } else {
                    try NoticeAnswers.closed(screen, request.reason ?? 4, change)
                }
                return Empty()
            },
            counting(NotifyClosingDone.self) {
                try NoticeDelivery.closingDone($1, $3)
                return Empty()
            },
            .write(NotifyDesktopIs.self) { state, request, _, change in
                state.desktop = request.desktop
                if let owner = request.owner {
                    try NoticeStore.forgetScreens(except: owner, change.database)
                }
                return Empty()
            },
        ]
    }

    /// A write after which the counts are those of the database.
    private static func counting<R: Route>(
        _ route: R.Type,
        _ work:
            @escaping @Sendable (NotifierState, R.Request, RequestContext, StoreTransaction) throws -> R.Reply
    ) -> ServiceRoute<NotifierState> {
        .write(route) { state, request, context, change in
            let reply = try work(state, request, context, change)
            state.counts = try NoticeStore.counts(change.database)
            return reply
        }
    }

    /// Who there is to tell is auth-service's to say.
    private static var members: Subscription<NotifierState> {
        Subscription(
            source: .auth,
            stream: .authorization,
            reset: { state, change in
                state.members = []
                try NotifierStore.forgetMembers(change.database)
            },
            apply: { state, event, change in
                guard event.header.type == MemberAdded.type else { return }
                let member = try event.decoded(MemberAdded.self)
                try NotifierStore.save(member, change.database)
                if let index = state.members.firstIndex(where: { $0.name == member.name }) {
                    state.members[index] = member
                } else {
                    state.members.append(member)
                }
            }
        )
    }
}
