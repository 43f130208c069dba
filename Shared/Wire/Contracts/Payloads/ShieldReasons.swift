package import STPlatform

/// A change of a store that caused a shield, or removed it.
package struct StoreChange: WireBody, Codable, Equatable {
    package var policy: Int64
    package var app: String
    package var member: String
    package var store: String
    /// The route of the request, such as `settings.set`.
    package var route: String
    package var wallMs: Int64
    /// The id of the delivery or request that caused the change.
    package var cause: String?
    package var isInForce: Bool
    package var reason: String?

    package init(
        policy: Int64,
        app: String,
        member: String,
        store: String,
        route: String,
        wallMs: Int64,
        cause: String? = nil,
        isInForce: Bool,
        reason: String? = nil
    ) {
        self.policy = policy
        self.app = app
        self.member = member
        self.store = store
        self.route = route
        self.wallMs = wallMs
        self.cause = cause
        self.isInForce = isInForce
        self.reason = reason
    }
}

/// One cause of a shield, with the change that produced it.
package struct ExplainedCause: WireBody, Codable, Equatable {
    package var cause: ShieldCauseBody
    package var change: StoreChange

    package init(cause: ShieldCauseBody, change: StoreChange) {
        self.cause = cause
        self.change = change
    }
}

package enum ShieldExplain: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        /// The moment to explain. `nil` means now.
        package var wallMs: Int64?

        package init(member: String? = nil, subject: ShieldSubject, wallMs: Int64? = nil) {
            self.member = member
            self.subject = subject
            self.wallMs = wallMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        package var policy: Int64
        package var wallMs: Int64
        package var category: String
        package var decision: ShieldDecisionBody
        package var causes: [ExplainedCause]
        /// The grant that lifts the shield.
        package var grant: RequestView?
        /// The last shield that was shown for the subject up to that moment.
        package var shown: ShownShield?
        package var lifts: [Message]
        /// The time since which changes are recorded. Earlier moments cannot be explained.
        package var sinceWallMs: Int64

        package init(
            member: String,
            policy: Int64,
            wallMs: Int64,
            category: String,
            decision: ShieldDecisionBody,
            causes: [ExplainedCause],
            grant: RequestView? = nil,
            shown: ShownShield? = nil,
            lifts: [Message],
            sinceWallMs: Int64
        ) {
            self.member = member
            self.policy = policy
            self.wallMs = wallMs
            self.category = category
            self.decision = decision
            self.causes = causes
            self.grant = grant
            self.shown = shown
            self.lifts = lifts
            self.sinceWallMs = sinceWallMs
        }
    }

    package static let name = "shield.explain"
    package static let kind = RouteKind.query
    package static let summary =
        "Explains from the recorded changes why something is or was shielded, or why it is not."
}

/// A shield that was shown.
package struct ShownShield: WireBody, Codable, Equatable {
    package var shield: String
    package var member: String
    package var subject: ShieldSubject
    package var category: String
    package var policy: Int64
    /// The causes of the shield. The first one is the cause whose look was shown.
    package var causes: [ShieldCauseBody]
    /// The number of causes that are not named. `nil` if all are named.
    package var more: Int64?
    package var segment: String?
    package var shownAt: String
    package var wallMs: Int64
    /// The last button that was pressed. `response` is the result.
    package var button: ShieldButton?
    package var response: ShieldResponse?

    package init(
        shield: String,
        member: String,
        subject: ShieldSubject,
        category: String,
        policy: Int64,
        causes: [ShieldCauseBody],
        more: Int64? = nil,
        segment: String? = nil,
        shownAt: String,
        wallMs: Int64,
        button: ShieldButton? = nil,
        response: ShieldResponse? = nil
    ) {
        self.shield = shield
        self.member = member
        self.subject = subject
        self.category = category
        self.policy = policy
        self.causes = causes
        self.more = more
        self.segment = segment
        self.shownAt = shownAt
        self.wallMs = wallMs
        self.button = button
        self.response = response
    }
}

/// The number of shields that appeared for one subject.
package struct ShieldCount: WireBody, Codable, Equatable {
    package var subject: ShieldSubject
    package var shown: Int64
    package var pressed: Int64

    package init(subject: ShieldSubject, shown: Int64, pressed: Int64) {
        self.subject = subject
        self.shown = shown
        self.pressed = pressed
    }
}

package enum ShieldList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var fromWallMs: Int64?
        package var toWallMs: Int64?
        package var next: String?
        package var limit: Int64?

        package init(
            member: String? = nil,
            fromWallMs: Int64? = nil,
            toWallMs: Int64? = nil,
            next: String? = nil,
            limit: Int64? = nil
        ) {
            self.member = member
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.next = next
            self.limit = limit
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var shields: [ShownShield]
        /// The numbers of shields. Only on the first page.
        package var counts: [ShieldCount]
        package var next: String?

        package init(shields: [ShownShield], counts: [ShieldCount], next: String? = nil) {
            self.shields = shields
            self.counts = counts
            self.next = next
        }
    }

    package static let name = "shield.list"
    package static let kind = RouteKind.query
    package static let summary =
        "Lists the shields that were shown, newest first, with the number for each app or site."
}

package enum ShieldShown: EventType {
    package typealias Body = ShownShield

    package static let stream = StreamName.shield
    package static let type = "shield.shown"
    package static let summary = "A shield was shown to a person, or one of its buttons was pressed."
}

/// Replaces a shield in a period that its person has deleted.
package enum ShieldRedacted: EventType {
    package typealias Body = Empty

    package static let stream = StreamName.shield
    package static let type = "shield.redacted"
    package static let summary = "Replaces an event about a shield in a period that its person has deleted."
}
