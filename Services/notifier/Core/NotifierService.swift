import STContracts
package import STEngine
import STPlatform

/// What people are told: one notification per cause, and a history of them.
package enum NotifierService {
    package static func definition() -> ServiceDefinition<NotifierState> {
        ServiceDefinition(
            name: .notifier,
            migrations: NotifierStore.migrations,
            streams: [.notification],
            load: { NotifierState(members: try NotifierStore.members($0)) },
            routes: [
                .write(NotifyPost.self) { state, request, context, change in
                    try PostCheck.check(request)
                    let posted = PostedNotification(
                        number: 0,
                        app: request.app,
                        member: try state.recipient(request.member),
                        id: request.id,
                        title: request.title,
                        body: request.body,
                        cause: request.cause ?? context.header.cause,
                        postedAt: RFC3339.text(wallMs: change.now.wallMs)
                    )
                    return try post(posted, change)
                },
                .query(NotifyList.self) { _, request, _, database in
                    try NotifierStore.list(request, database)
                },
            ],
            subscriptions: [members]
        )
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

    private static func post(_ notification: PostedNotification, _ change: StoreTransaction) throws
        -> NotifyPost.Reply
    {
        var posted = notification
        let known = try NotifierStore.find(like: posted, change.database)
        if let known, known.title == posted.title, known.body == posted.body {
            return .init(number: known.number, outcome: .unchanged, postedAt: known.postedAt)
        }
        if let known { try NotifierStore.remove(known.number, change.database) }
        posted.number = try NotifierStore.insert(posted, change.database)
        try NotifierStore.forgetOldest(after: posted, change.database)
        // One subject for all that an app tells a person: whoever is so far behind that the log is no longer kept for
        // them gets the last one, and the others stand in the history.
        let subject = "\(posted.app)/\(posted.member)"
        try change.emit(NotificationPosted.self, subject: subject, posted)
        return .init(
            number: posted.number,
            outcome: known == nil ? .posted : .replaced,
            postedAt: posted.postedAt
        )
    }
}
