package enum DesktopStatus: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// Which source of observations is at work, such as `x11`, `scripted` or `none`.
        package var source: String
        package var reason: String
        package var seen: Int64
        package var waiting: Int64
        /// Nothing can be seen here: time is `unobserved`.
        package var isBlind: Bool?
        /// Where it is blind: what would help.
        package var wayOut: String?
        /// Whose time the screen's is.
        package var member: String?
        package var presence: Presence?
        /// In front at this moment.
        package var app: String?

        package init(
            source: String,
            reason: String,
            seen: Int64,
            waiting: Int64,
            isBlind: Bool? = nil,
            wayOut: String? = nil,
            member: String? = nil,
            presence: Presence? = nil,
            app: String? = nil
        ) {
            self.source = source
            self.reason = reason
            self.seen = seen
            self.waiting = waiting
            self.isBlind = isBlind
            self.wayOut = wayOut
            self.member = member
            self.presence = presence
            self.app = app
        }
    }

    package static let name = "desktop.status"
    package static let kind = RouteKind.read
    package static let summary =
        "Where observations come from, how many there were, how many wait to be accepted."
}

/// Plays a script of who looks at what, as if a desktop had seen it.
package enum DesktopPlay: Route {
    package struct Step: WireBody, Codable, Equatable {
        /// Nil with presence `active` is the bare desktop.
        package var app: String?
        package var domain: String?
        package var presence: Presence?
        package var forMs: Int64
        /// How many notifications each app puts before the member as the step begins.
        package var notifications: [String: Int64]?

        package init(
            app: String? = nil,
            domain: String? = nil,
            presence: Presence? = nil,
            forMs: Int64,
            notifications: [String: Int64]? = nil
        ) {
            self.app = app
            self.domain = domain
            self.presence = presence
            self.forMs = forMs
            self.notifications = notifications
        }
    }

    package struct Request: WireBody, Codable, Equatable {
        /// Whose day this is.
        package var member: String
        /// How long before now the first step begins; 0 plays from now on, at the pace of the clock.
        package var agoMs: Int64?
        package var steps: [Step]

        package init(member: String, agoMs: Int64? = nil, steps: [Step]) {
            self.member = member
            self.agoMs = agoMs
            self.steps = steps
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var steps: Int64
        package var endsAt: String

        package init(steps: Int64, endsAt: String) {
            self.steps = steps
            self.endsAt = endsAt
        }
    }

    package static let name = "desktop.play"
    package static let kind = RouteKind.write
    package static let summary =
        "Plays a script of who looks at what, past steps at once and the rest as time goes by."
}
