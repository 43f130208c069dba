package import STDomain
package import STPlatform

/// One notification in the history.
package struct PostedNotification: WireBody, Codable, Equatable {
    /// The number of the posting. The newest notification has the largest number.
    package var number: Int64
    package var app: String
    package var member: String
    /// The id, one for each cause. A new notification replaces the previous one with the same id.
    package var id: String
    package var title: String
    package var body: String
    /// The id of the event that caused the notification.
    package var cause: String?
    package var postedAt: String
    package var actions: [NotifyAction]?
    package var urgency: NotifyUrgency?
    package var hasSound: Bool?
    package var state: NotifyState?
    /// An explanation of the state: the reason for a failure, the due time, or the reason for an uncertainty.
    package var note: Message?
    /// The next due time of a notification with a trigger.
    package var dueAt: String?
    package var shownAt: String?
    package var via: NotifyVia?
    /// The number of attempts to show the notification.
    package var attempts: Int64?
    package var answer: NotifyAnswered?
    /// The trigger of a notification that is not shown immediately. A repeating notification keeps it.
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

    /// The request that the notification concerns. `nil` for other notifications.
    package var askedRequest: String? {
        guard app == BuiltInRules.app, id.hasPrefix(Self.requestPrefix), actions?.isEmpty == false else {
            return nil
        }
        return String(id.dropFirst(Self.requestPrefix.count))
    }

    /// Returns the notification with the reason why the last answer did not count, to be shown again.
    package func repeated(_ problem: Problem, in language: DisplayLanguage) -> PostedNotification {
        let failed = language.text("request-notice.not-answered", "Not answered: ")
        let lines = body.split(separator: "\n").filter { !$0.hasPrefix(failed) }
        let text = (lines + ["\(failed)\(problem.text.text(in: language))"]).joined(separator: "\n")
        var again = self
        again.body = TextFormat.truncated(text, bytes: NotifyPost.bodyBytesMax)
        return again
    }
}

/// The result of posting a notification.
package enum PostOutcome: String, WireEnum {
    /// The notification is new.
    case posted
    /// The notification replaced another one with the same id.
    case replaced
    /// An identical notification existed, so the notification does not appear again.
    case unchanged
    case unknown
}

package enum NotifyPost: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        /// The member. `nil` means the owner of this computer.
        package var member: String?
        package var id: String
        package var title: String
        package var body: String
        /// The id of the event that caused the notification. `nil` means the cause of the request itself.
        package var cause: String?
        /// The values of `{app}`, `{used}`, `{left}` and the other placeholders in title and body.
        package var values: [String: String]?
        package var actions: [NotifyAction]?
        package var urgency: NotifyUrgency?
        package var hasSound: Bool?
        /// The trigger. `nil` shows the notification immediately.
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
    /// The maximum size of the name of an app or a member, an id or a cause.
    package static let nameBytesMax = 128
    package static let actionsMax = 4
    package static let labelBytesMax = 64
    package static let valuesMax = 16
    package static let valueBytesMax = 256
    /// The minimum interval of a repeating notification, as on a phone.
    package static let repeatMinMs: Int64 = 60_000
    package static let afterMaxMs: Int64 = 366 * 86_400_000
    /// The maximum number of notifications of one app that are not due yet, as on a phone.
    package static let scheduledMax = 64
    package static let name = "notify.post"
    package static let kind = RouteKind.write
    package static let summary =
        "Posts a notification, or replaces the one with the same id. "
        + "Ignores a request that is identical to a current notification."
}

package enum NotifyList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String?
        package var member: String?
        /// The state. `scheduled` means all notifications that are still due, including a repeating one that is on the screen.
        package var state: NotifyState?
        /// The only notification to return.
        package var number: Int64?
        /// `next` of the last reply. `nil` for the first page.
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
        /// The desktop that shows notifications.
        package var desktop: NotifyDesktop?
        /// The number of notifications that a person may not have seen.
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
    package static let summary = "Lists the notifications in the history, newest first, a page at a time."
}

package enum NotificationPosted: EventType {
    package typealias Body = PostedNotification

    package static let stream = StreamName.notification
    package static let type = "notification.posted"
    package static let summary = "A notification is due. It replaces an earlier one with the same id."
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

/// The kinds of due times of notifications that are not shown immediately.
package enum NotifyTriggerKind: String, WireEnum {
    case interval
    case calendar
    case unknown
}

package struct NotifyTrigger: WireBody, Codable, Equatable {
    package var kind: NotifyTriggerKind
    /// For `interval`: the delay.
    package var afterMs: Int64?
    /// For `calendar`: the fields of the next matching moment.
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

/// The state of a notification.
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

/// The place where a person could see a notification.
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

/// The availability of a desktop that shows notifications.
package enum NotifyDesktopState: String, WireEnum {
    case ready
    /// No desktop shows notifications. They wait, and a terminal lists them.
    case absent
    /// A setting turns notifications off. They are only recorded.
    case off
    case unknown
}

package struct NotifyDesktop: WireBody, Codable, Equatable {
    package var state: NotifyDesktopState
    /// The program that shows notifications, such as `dunst 1.9.0`.
    package var name: String?
    /// The reason why no desktop shows notifications, as a sentence.
    package var note: Message?

    package init(state: NotifyDesktopState, name: String? = nil, note: Message? = nil) {
        self.state = state
        self.name = name
        self.note = note
    }
}

package enum NotifyRequest: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The guardian who is notified.
        package var member: String
        /// The name of the machine on which the child made the request.
        package var machine: String
        package var news: RequestUpdate

        package init(member: String, machine: String, news: RequestUpdate) {
            self.member = member
            self.machine = machine
            self.news = news
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.request"
    package static let kind = RouteKind.write
    package static let summary =
        "Notifies a guardian of a request for more time on another machine. "
        + "Withdraws the notification when the request is answered or over."
}

package enum NotifyWithdraw: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var app: String
        package var member: String?
        /// The ids of the notifications. `nil` means all of the app.
        package var ids: [String]?
        /// The state: only notifications that are not due yet, or only those that were shown. `nil` means both.
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
        "Withdraws notifications. Those on the screen are closed, and the others are not shown."
}

package enum NotifyAnswer: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var number: Int64
        /// The id of a button. `default` is the notification itself, and `dismiss` closes it.
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
    package static let summary =
        "Answers a notification with one of its buttons. Only the first answer counts."
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
    package static let summary =
        "Marks notifications as shown, for example by a terminal while no desktop shows them."
}

package enum NotificationChanged: EventType {
    package typealias Body = PostedNotification

    package static let stream = StreamName.notification
    package static let type = "notification.changed"
    package static let summary =
        "The state of a notification changed, for example to shown, answered, failed or withdrawn."
}
