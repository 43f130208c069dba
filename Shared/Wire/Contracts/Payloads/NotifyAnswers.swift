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
        "Takes notifications back: those not shown yet never are, those on the screen go."
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
    package static let summary = "A notification has come further: shown, answered, failed, withdrawn."
}
