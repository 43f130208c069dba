import STContracts
import STDomain
import STPlatform

/// A notification as the journal has it: what the bus shows of it, and what only its delivery needs.
struct Notice: Sendable, Equatable {
    var posted: PostedNotification
    /// When it comes; nil when it has come.
    ///
    /// A repeating one always has a next time.
    var due: NoticeDue?
    /// When it began to wait to be shown.
    var waitingMs: Int64?
    /// Its place on a screen now.
    var screen: NoticeScreen?
    /// It is to be taken from the screen.
    var isClosing = false
    /// The number of the notification it replaced while that was being sent; its place on the screen will be this one's.
    var replaced: Int64?

    var number: Int64 { posted.number }

    var state: NotifyState {
        get { posted.state ?? .shown }
        set { posted.state = newValue }
    }

    /// Whether it says the same in the same way.
    func isSame(as other: PostedNotification) -> Bool {
        posted.title == other.title && posted.body == other.body && posted.actions == other.actions
            && posted.urgency == other.urgency && posted.hasSound == other.hasSound
            && posted.trigger == other.trigger
    }

    /// Whether posting it again shows it again: it was taken back, never came, or is a timer that has run out.
    var isOver: Bool {
        switch state {
        case .withdrawn, .failed: true
        default: posted.trigger != nil && due == nil
        }
    }

    /// The requested notification, with its words filled in.
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

/// The id that a desktop gave, and which desktop that was.
struct NoticeScreen: Sendable, Equatable {
    var id: Int64
    /// The bus and the name on it; after a new login the same id belongs to another notification.
    var owner: String
}

/// When a notification with a trigger comes next.
struct NoticeDue: Sendable, Equatable {
    var wallMs: Int64
    /// The end of an interval, which is a length of time and independent of the clock on the wall.
    var bootMs: Int64?
    /// The start of the machine that `bootMs` belongs to.
    var bootID: String?
    /// When one that repeats by the calendar came last.
    var lastMs: Int64?
}
