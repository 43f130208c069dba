package import STContracts

/// What is to be done next for a desktop.
package enum NotifyNext: Route {
    package struct Request: WireBody, Codable {
        /// Those whose next attempt comes later.
        package var except: [Int64]
        /// The desktop that is there; nil when there is none.
        package var owner: String?

        package init(except: [Int64], owner: String?) {
            self.except = except
            self.owner = owner
        }
    }

    package struct Due: WireBody, Codable, Equatable {
        package var wallMs: Int64?
        package var bootMs: Int64?
        /// The zone by which something is planned.
        package var zone: String?
    }

    package struct Reply: WireBody, Codable {
        package var due: Due
        /// On the screen, and to go from there.
        package var closing: Int64?
        /// Waits to be shown.
        package var number: Int64?

        init(due: Due) { self.due = due }
    }

    package static let name = "notify.next"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "The first notification that waits, and when something is due."
}

package enum NotifyTick: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "notify.tick"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Tells what has become due by the clocks as they are now."
}

package enum NotifyBegin: Route {
    package struct Request: WireBody, Codable {
        package var number: Int64
        package var owner: String

        package init(number: Int64, owner: String) {
            self.number = number
            self.owner = owner
        }
    }

    package struct Reply: WireBody, Codable {
        /// Nil when it does not wait any more.
        package var notification: PostedNotification?
        package var replaces: Int64?
    }

    package static let name = "notify.begin"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down that a notification is being sent, before it is."
}

package enum NotifyFinish: Route {
    package enum Outcome: String, Codable, Sendable {
        case shown
        /// It was certainly not shown; nobody was there.
        case again
        /// It was certainly not shown; the desktop does not want it.
        case refused
        /// It may have been shown.
        case unsure
    }

    package struct Request: WireBody, Codable {
        package var number: Int64
        package var owner: String
        package var outcome: Outcome
        package var screen: Int64?
        package var note: String?

        package init(
            number: Int64,
            owner: String,
            outcome: Outcome,
            screen: Int64? = nil,
            note: String? = nil
        ) {
            self.number = number
            self.owner = owner
            self.outcome = outcome
            self.screen = screen
            self.note = note
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.finish"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Writes down how the sending went."
}

/// What a desktop told of something on its screen.
package enum NotifyHeard: Route {
    package struct Request: WireBody, Codable {
        package var screen: Int64
        package var owner: String
        /// The button; nil when it was closed.
        package var action: String?
        /// Why it was closed, by the numbers of the specification.
        package var reason: Int64?

        package init(screen: Int64, owner: String, action: String? = nil, reason: Int64? = nil) {
            self.screen = screen
            self.owner = owner
            self.action = action
            self.reason = reason
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.heard"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "A button was pressed, or a notification has gone from the screen."
}

package enum NotifyClosingDone: Route {
    package struct Request: WireBody, Codable {
        package var screen: Int64
        package var owner: String

        package init(screen: Int64, owner: String) {
            self.screen = screen
            self.owner = owner
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.closing_done"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "A notification was taken from the screen."
}

package enum NotifyDesktopIs: Route {
    package struct Request: WireBody, Codable {
        package var desktop: NotifyDesktop
        package var owner: String?

        package init(desktop: NotifyDesktop, owner: String?) {
            self.desktop = desktop
            self.owner = owner
        }
    }

    package typealias Reply = Empty

    package static let name = "notify.desktop_is"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Whether there is a desktop, and which."
}
