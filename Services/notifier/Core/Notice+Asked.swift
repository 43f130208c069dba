import STContracts
import STDomain
import STPlatform

extension Notice {
    /// What was asked for, with the words filled in.
    static func asked(_ request: NotifyPost.Request, member: String, cause: String?, nowMs: Int64)
        -> PostedNotification
    {
        let values = request.values ?? [:]
        func filled(_ text: String, _ bytes: Int) -> String {
            TextFormat.fitting(PlaceholderText.filled(text, values), bytes: bytes)
        }
        let actions = request.actions ?? []
        return PostedNotification(
            number: 0,
            app: request.app,
            member: member,
            id: request.id,
            title: filled(request.title, NotifyPost.titleBytesMax),
            body: filled(request.body, NotifyPost.bodyBytesMax),
            cause: cause,
            postedAt: RFC3339.text(wallMs: nowMs),
            actions: actions.isEmpty ? nil : actions,
            urgency: request.urgency,
            hasSound: request.hasSound,
            trigger: request.trigger
        )
    }
}
