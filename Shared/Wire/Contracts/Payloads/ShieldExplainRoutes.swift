/// A change of a store that led to a shield, or took it away.
package struct StoreChange: WireBody, Codable, Equatable {
    package var policy: Int64
    package var app: String
    package var member: String
    package var store: String
    /// What was asked, such as `settings.set`.
    package var route: String
    package var wallMs: Int64
    /// The id of the delivery or request that asked for it.
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

/// One cause of a shield with the change that made it.
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
        /// Nil is now.
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
        /// The grant that lifts it.
        package var grant: RequestView?
        /// The last shield shown for it until then.
        package var shown: ShownShield?
        package var lifts: [String]
        /// Since when changes are written down; before that nothing can be said.
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
            lifts: [String],
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
    package static let summary = "Why something is or was shielded, or not, by the changes written down."
}
