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
            load: { _ in NotifierState() },
            routes: [
                .write(NotifyPost.self) { _, request, context, change in
                    try post(request, cause: request.cause ?? context.header.cause, change)
                },
                .query(NotifyList.self) { _, request, _, database in
                    try NotifierStore.list(request, database)
                },
            ]
        )
    }

    private static func post(_ request: NotifyPost.Request, cause: String?, _ change: StoreTransaction) throws
        -> NotifyPost.Reply
    {
        try PostCheck.check(request)
        let known = try NotifierStore.find(request, change.database)
        if let known, known.title == request.title, known.body == request.body {
            return .init(number: known.number, outcome: .unchanged, postedAt: known.postedAt)
        }
        var posted = PostedNotification(
            number: 0,
            app: request.app,
            member: request.member,
            id: request.id,
            title: request.title,
            body: request.body,
            cause: cause,
            postedAt: RFC3339.text(wallMs: change.now.wallMs)
        )
        if let known { try NotifierStore.remove(known.number, change.database) }
        posted.number = try NotifierStore.insert(posted, change.database)
        try NotifierStore.forgetOldest(after: posted, change.database)
        // One subject for all that an app tells a person: whoever is so far behind that the log is no longer kept for
        // them gets the last one, and the others stand in the history.
        let subject = "\(posted.app)/\(posted.member ?? "")"
        try change.emit(NotificationPosted.self, subject: subject, posted)
        return .init(
            number: posted.number,
            outcome: known == nil ? .posted : .replaced,
            postedAt: posted.postedAt
        )
    }
}
