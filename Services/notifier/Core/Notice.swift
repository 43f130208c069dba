import STContracts
import STDomain
import STPlatform

/// A notification in the journal: the part that the bus shows, and the part for its delivery.
struct Notice: Sendable, Equatable {
    var posted: PostedNotification
    /// The next time of a notification with a trigger. `nil` after the last one.
    ///
    /// A repeating notification always has a next time.
    var due: NoticeDue?
    /// The moment at which it began to wait to be shown.
    var waitingSince: WallTime?
    /// Its present place on a screen.
    var screen: NoticeScreen?
    /// True if it has to be removed from the screen.
    var isClosing = false
    /// The number of the notification that it replaced during sending. It takes over the place of that one on the screen.
    var replaced: Int64?

    var number: Int64 { posted.number }

    var state: NotifyState {
        get { posted.state ?? .shown }
        set { posted.state = newValue }
    }

    /// Returns true if the other notification has the same content and trigger.
    func isSame(as other: PostedNotification) -> Bool {
        posted.title == other.title && posted.body == other.body && posted.actions == other.actions
            && posted.urgency == other.urgency && posted.hasSound == other.hasSound
            && posted.trigger == other.trigger
    }

    /// True if posting it again shows it again: it was withdrawn, failed, or its timer has ended.
    var isFinished: Bool {
        switch state {
        case .withdrawn, .failed: true
        default: posted.trigger != nil && due == nil
        }
    }

    /// Returns the requested notification, with the values filled into its text.
    static func applyRequest(_ request: NotifyPost.Request, member: String, cause: String?, now: WallTime)
        -> PostedNotification
    {
        let values = request.values ?? [:]
        func filled(_ text: String, _ bytes: Int) -> String {
            TextFormat.truncated(PlaceholderText.filled(text, values), bytes: bytes)
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
            postedAt: RFC3339.text(wallMs: now.ms),
            actions: actions.isEmpty ? nil : actions,
            urgency: request.urgency,
            hasSound: request.hasSound,
            trigger: request.trigger
        )
    }
}

/// The id from a desktop, and the desktop.
struct NoticeScreen: Sendable, Equatable {
    var id: Int64
    /// The bus and the name on it. After a new login the same id belongs to another notification.
    var owner: String
}

/// The next time of a notification with a trigger.
struct NoticeDue: Sendable, Equatable {
    var wall: WallTime
    /// The end of an interval. An interval is a duration and does not depend on the wall clock.
    var boot: BootTime?
    /// The boot to which `boot` belongs.
    var bootID: String?
    /// The last time of a notification that repeats by the calendar.
    var last: WallTime?
}
