/// One notification as the history has it.
package struct PostedNotification: WireBody, Codable, Equatable {
    /// Grows with every posting: the newest has the largest.
    package var number: Int64
    package var app: String
    package var member: String
    /// One per cause: posted again under the same id it takes the place of the one before.
    package var id: String
    package var title: String
    package var body: String
    /// The id of the event that led to it.
    package var cause: String?
    package var postedAt: String
    package var actions: [NotifyAction]?
    package var urgency: NotifyUrgency?
    package var hasSound: Bool?
    package var state: NotifyState?
    /// What a person should know about the state: why it failed, when it is due, why nobody can say.
    package var note: String?
    /// Of one with a trigger: the next moment.
    package var dueAt: String?
    package var shownAt: String?
    package var via: NotifyVia?
    /// Attempts to show it.
    package var attempts: Int64?
    package var answer: NotifyAnswered?
    /// When it is told, where that is not at once; one that repeats keeps it.
    package var trigger: NotifyTrigger?

    package init(
        number: Int64,
        app: String,
        member: String,
        id: String,
        title: String,
        body: String,
        cause: String?,
        postedAt: String,
        actions: [NotifyAction]? = nil,
        urgency: NotifyUrgency? = nil,
        hasSound: Bool? = nil,
        state: NotifyState? = nil,
        note: String? = nil,
        dueAt: String? = nil,
        shownAt: String? = nil,
        via: NotifyVia? = nil,
        attempts: Int64? = nil,
        answer: NotifyAnswered? = nil,
        trigger: NotifyTrigger? = nil
    ) {
        self.number = number
        self.app = app
        self.member = member
        self.id = id
        self.title = title
        self.body = body
        self.cause = cause
        self.postedAt = postedAt
        self.actions = actions
        self.urgency = urgency
        self.hasSound = hasSound
        self.state = state
        self.note = note
        self.dueAt = dueAt
        self.shownAt = shownAt
        self.via = via
        self.attempts = attempts
        self.answer = answer
        self.trigger = trigger
    }
}

/// What became of a notification that was asked for.
package enum PostOutcome: String, WireEnum {
    /// It is new.
    case posted
    /// It took the place of another one of the same id.
    case replaced
    /// That very one was there already, so nobody is told again.
    case unchanged
    case unknown
}

package enum NotifyPost: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// Nil is the owner of this computer.
        package var member: String?
        package var id: String
        package var title: String
        package var body: String
        /// The cause of the request itself when absent.
        package var cause: String?
        /// What stands for `{app}`, `{used}`, `{left}` and so on in title and body.
        package var values: [String: String]?
        package var actions: [NotifyAction]?
        package var urgency: NotifyUrgency?
        package var hasSound: Bool?
        /// Nil is at once.
        package var trigger: NotifyTrigger?

        package init(
            app: String,
            member: String? = nil,
            id: String,
            title: String,
            body: String,
            cause: String? = nil,
            values: [String: String]? = nil,
            actions: [NotifyAction]? = nil,
            urgency: NotifyUrgency? = nil,
            hasSound: Bool? = nil,
            trigger: NotifyTrigger? = nil
        ) {
            self.app = app
            self.member = member
            self.id = id
            self.title = title
            self.body = body
            self.cause = cause
            self.values = values
            self.actions = actions
            self.urgency = urgency
            self.hasSound = hasSound
            self.trigger = trigger
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var number: Int64
        package var outcome: PostOutcome
        package var postedAt: String

        package init(number: Int64, outcome: PostOutcome, postedAt: String) {
            self.number = number
            self.outcome = outcome
            self.postedAt = postedAt
        }
    }

    package static let titleBytesMax = 256
    package static let bodyBytesMax = 2_048
    /// Of an app, a member, an id or a cause.
    package static let nameBytesMax = 128
    package static let actionsMax = 4
    package static let labelBytesMax = 64
    package static let valuesMax = 16
    package static let valueBytesMax = 256
    /// As on a phone.
    package static let repeatMinMs: Int64 = 60_000
    package static let afterMaxMs: Int64 = 366 * 86_400_000
    /// Of one app that are still to come; as on a phone.
    package static let scheduledMax = 64
    package static let name = "notify.post"
    package static let kind = RouteKind.write
    package static let summary =
        "Tells a person something; the same id again replaces, and the very same again does nothing."
}

package enum NotifyList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var member: String?
        /// `scheduled` are all that are still to come, also those of a repeating one that is on the screen.
        package var state: NotifyState?
        /// Only this one.
        package var number: Int64?
        /// As in the last reply's `next`; absent on the first page.
        package var next: String?
        package var limit: Int64?

        package init(
            app: String? = nil,
            member: String? = nil,
            state: NotifyState? = nil,
            number: Int64? = nil,
            next: String? = nil,
            limit: Int64? = nil
        ) {
            self.app = app
            self.member = member
            self.state = state
            self.number = number
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var notifications: [PostedNotification]
        package var next: String?
        /// Whether there is a desktop that shows them.
        package var desktop: NotifyDesktop?
        /// How many there are of which nobody can say whether they were seen.
        package var uncertain: Int64?

        package init(
            notifications: [PostedNotification],
            next: String?,
            desktop: NotifyDesktop? = nil,
            uncertain: Int64? = nil
        ) {
            self.notifications = notifications
            self.next = next
            self.desktop = desktop
            self.uncertain = uncertain
        }
    }

    package static let name = "notify.list"
    package static let kind = RouteKind.query
    package static let summary = "The notifications still in the history, newest first, a page at a time."
}

package enum NotificationPosted: EventType {
    package typealias Body = PostedNotification

    package static let stream = StreamName.notification
    package static let type = "notification.posted"
    package static let summary = "A person is to be told this; another one of the same id is out of date."
}
