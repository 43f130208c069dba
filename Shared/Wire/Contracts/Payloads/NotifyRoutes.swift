package import STDomain
package import STPlatform

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
    /// What a person should know about the state: why it failed, when it is due, why that is unknown.
    package var note: Message?
    /// With a trigger: the next moment.
    package var dueAt: String?
    package var shownAt: String?
    package var via: NotifyVia?
    /// Attempts to show it.
    package var attempts: Int64?
    package var answer: NotifyAnswered?
    /// When it comes, where that is not at once; one that repeats keeps it.
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
        note: Message? = nil,
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

/// Notifications that ask a guardian about a request for more time.
extension PostedNotification {
    package static let approve = "approve"
    package static let deny = "deny"
    package static let requestPrefix = "request-"

    /// The request that it asks about; nil for other notifications.
    package var askedRequest: String? {
        guard app == BuiltInRules.app, id.hasPrefix(Self.requestPrefix), actions?.isEmpty == false else {
            return nil
        }
        return String(id.dropFirst(Self.requestPrefix.count))
    }

    /// The notification with the reason why the last answer did not count, to be shown again.
    package func askedAgain(_ problem: Problem, in language: WordLanguage) -> PostedNotification {
        let failed = language.say("request-notice.not-answered", "Not answered: ")
        let lines = body.split(separator: "\n").filter { !$0.hasPrefix(failed) }
        let text = (lines + ["\(failed)\(problem.text.text(in: language))"]).joined(separator: "\n")
        var again = self
        again.body = TextFormat.fitting(text, bytes: NotifyPost.bodyBytesMax)
        return again
    }
}

/// What became of a notification that was asked for.
package enum PostOutcome: String, WireEnum {
    /// It is new.
    case posted
    /// It took the place of another one of the same id.
    case replaced
    /// That very one was there already, so it does not appear again.
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
    /// For the name of an app or a member, an id or a cause.
    package static let nameBytesMax = 128
    package static let actionsMax = 4
    package static let labelBytesMax = 64
    package static let valuesMax = 16
    package static let valueBytesMax = 256
    /// As on a phone.
    package static let repeatMinMs: Int64 = 60_000
    package static let afterMaxMs: Int64 = 366 * 86_400_000
    /// Notifications of one app that are still to come; as on a phone.
    package static let scheduledMax = 64
    package static let name = "notify.post"
    package static let kind = RouteKind.write
    package static let summary =
        "Notifies a person; the same id again replaces the first, and an identical request does nothing."
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
        /// How many there are that a person may or may not have seen.
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
    package static let summary =
        "A person should be told this; an earlier one with the same id is out of date."
}

/// A button of a notification.
package struct NotifyAction: WireBody, Codable, Equatable {
    package var id: String
    package var label: String

    package init(id: String, label: String) {
        self.id = id
        self.label = label
    }
}

/// When a notification is due, where that is not at once.
package enum NotifyTriggerKind: String, WireEnum {
    case interval
    case calendar
    case unknown
}

package struct NotifyTrigger: WireBody, Codable, Equatable {
    package var kind: NotifyTriggerKind
    /// For an interval.
    package var afterMs: Int64?
    /// For a calendar: the next moment that fits.
    package var fields: DateFields?
    package var repeats: Bool

    package init(kind: NotifyTriggerKind, afterMs: Int64? = nil, fields: DateFields? = nil, repeats: Bool) {
        self.kind = kind
        self.afterMs = afterMs
        self.fields = fields
        self.repeats = repeats
    }
}

package enum NotifyUrgency: String, WireEnum {
    case low
    case normal
    case critical
    case unknown
}

/// How far a notification has come.
package enum NotifyState: String, WireEnum {
    case scheduled
    case waiting
    case sending
    case shown
    case closed
    case answered
    case failed
    case uncertain
    case withdrawn
    case unknown
}

/// By what a person could see it.
package enum NotifyVia: String, WireEnum {
    case desktop
    case terminal
    case unknown
}

/// The button that a person pressed.
package struct NotifyAnswered: WireBody, Codable, Equatable {
    package var action: String
    package var wallMs: Int64
    package var via: NotifyVia

    package init(action: String, wallMs: Int64, via: NotifyVia) {
        self.action = action
        self.wallMs = wallMs
        self.via = via
    }
}

/// Whether something shows notifications on a screen.
package enum NotifyDesktopState: String, WireEnum {
    case ready
    /// No desktop shows them: they wait, and a terminal lists them.
    case absent
    /// Not wanted: they are only written down.
    case off
    case unknown
}

package struct NotifyDesktop: WireBody, Codable, Equatable {
    package var state: NotifyDesktopState
    /// The program that shows them, such as `dunst 1.9.0`.
    package var name: String?
    /// Why there is none, in a sentence.
    package var note: Message?

    package init(state: NotifyDesktopState, name: String? = nil, note: Message? = nil) {
        self.state = state
        self.name = name
        self.note = note
    }
}

package enum NotifyRequest: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The guardian.
        package var member: String
        /// What the machine is called on which the child asks.
        package var machine: String
        package var news: RequestNews

        package init(member: String, machine: String, news: RequestNews) {
            self.member = member
            self.machine = machine
            self.news = news
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.request"
    package static let kind = RouteKind.write
    package static let summary =
        "Tells a guardian that a person on another machine asks for more time, and takes that away when it is answered."
}

package enum NotifyWithdraw: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        /// Nil means all of the app.
        package var ids: [String]?
        /// Only those not due yet, or only those shown; nil is both.
        package var state: NotifyState?

        package init(app: String, member: String? = nil, ids: [String]? = nil, state: NotifyState? = nil) {
            self.app = app
            self.member = member
            self.ids = ids
            self.state = state
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var withdrawn: Int64

        package init(withdrawn: Int64) {
            self.withdrawn = withdrawn
        }
    }

    package static let name = "notify.withdraw"
    package static let kind = RouteKind.write
    package static let summary =
        "Takes notifications back: those not shown yet never come, those on the screen disappear."
}

package enum NotifyAnswer: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var number: Int64
        /// `default` is the notification itself, `dismiss` puts it away.
        package var action: String
        package var via: NotifyVia

        package init(number: Int64, action: String, via: NotifyVia) {
            self.number = number
            self.action = action
            self.via = via
        }
    }

    package typealias Reply = PostedNotification

    package static let name = "notify.answer"
    package static let kind = RouteKind.write
    package static let summary = "A person has pressed a button of a notification; the first answer counts."
}

package enum NotifyShown: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var numbers: [Int64]
        package var via: NotifyVia

        package init(numbers: [Int64], via: NotifyVia) {
            self.numbers = numbers
            self.via = via
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var marked: Int64

        package init(marked: Int64) {
            self.marked = marked
        }
    }

    package static let name = "notify.shown"
    package static let kind = RouteKind.write
    package static let summary = "A terminal has shown notifications that no desktop could."
}

package enum NotificationChanged: EventType {
    package typealias Body = PostedNotification

    package static let stream = StreamName.notification
    package static let type = "notification.changed"
    package static let summary = "A notification has a new state: shown, answered, failed, withdrawn."
}
