package import STPlatform

/// What is in front, as somebody sees it: an app, and the site open in it.
package struct ShieldSubject: WireBody, Codable, Equatable {
    package var app: String?
    package var domain: String?
    /// Any app or site of this category, where none is named.
    package var category: String?

    package init(app: String? = nil, domain: String? = nil, category: String? = nil) {
        self.app = app
        self.domain = domain
        self.category = category
    }
}

package enum ShieldDecide: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject

        package init(member: String? = nil, subject: ShieldSubject) {
            self.member = member
            self.subject = subject
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        package var policy: Int64
        /// The category that it was taken for.
        package var category: String
        package var decision: ShieldDecisionBody
        /// What would lift it, as sentences; or why nothing shields it.
        package var lifts: [String]

        package init(
            member: String,
            policy: Int64,
            category: String,
            decision: ShieldDecisionBody,
            lifts: [String]
        ) {
            self.member = member
            self.policy = policy
            self.category = category
            self.decision = decision
            self.lifts = lifts
        }
    }

    package static let name = "shield.decide"
    package static let kind = RouteKind.read
    package static let summary =
        "Whether an app or a site is shielded at this moment, by whom, and what would lift it."
}

/// Where the look of a shield comes from.
package enum ShieldLookSource: String, WireEnum {
    case app
    case builtIn = "built_in"
    case unknown
}

/// The look of a shield, and how it came about.
package struct ShieldLookView: WireBody, Codable, Equatable {
    package var look: ShieldLook
    package var source: ShieldLookSource
    /// The app whose extension was asked, or whose rule it is.
    package var app: String
    /// Why the extension's own look is not shown.
    package var problem: Problem?
    /// Apple's name of the method that was not overridden.
    package var missing: String?

    package init(
        look: ShieldLook,
        source: ShieldLookSource,
        app: String,
        problem: Problem? = nil,
        missing: String? = nil
    ) {
        self.look = look
        self.source = source
        self.app = app
        self.problem = problem
        self.missing = missing
    }
}

package enum ShieldConfigurationAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        /// Such as `ko` or `en_US`; nil is the language of the service.
        package var language: String?
        /// As though it were shielded by this app, for a preview; nil is whoever shields it.
        package var app: String?

        package init(
            member: String? = nil,
            subject: ShieldSubject,
            language: String? = nil,
            app: String? = nil
        ) {
            self.member = member
            self.subject = subject
            self.language = language
            self.app = app
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var decision: ShieldDecisionBody
        package var view: ShieldLookView

        package init(decision: ShieldDecisionBody, view: ShieldLookView) {
            self.decision = decision
            self.view = view
        }
    }

    package static let name = "shield.configuration"
    package static let kind = RouteKind.write
    package static let summary = "The text and look of the shield of an app or site; counts nothing."
}

package enum ShieldShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        package var language: String?
        /// Who shows it, such as the agent's name.
        package var agent: String?
        /// The segment of the ledger that the observation opened.
        package var segment: String?
        /// When that was.
        package var wallMs: Int64?

        package enum CodingKeys: String, CodingKey {
            case member, subject, language, agent, segment
            case wallMs = "wall_ms"
        }

        package init(
            member: String? = nil,
            subject: ShieldSubject,
            language: String? = nil,
            agent: String? = nil,
            segment: String? = nil,
            wallMs: Int64? = nil
        ) {
            self.member = member
            self.subject = subject
            self.language = language
            self.agent = agent
            self.segment = segment
            self.wallMs = wallMs
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var policy: Int64
        package var decision: ShieldDecisionBody
        /// Its name, for buttons; nil when there is nothing to shield.
        package var shield: String?
        package var view: ShieldLookView?

        package init(
            policy: Int64,
            decision: ShieldDecisionBody,
            shield: String? = nil,
            view: ShieldLookView? = nil
        ) {
            self.policy = policy
            self.decision = decision
            self.shield = shield
            self.view = view
        }
    }

    package static let name = "shield.show"
    package static let kind = RouteKind.write
    package static let summary =
        "A shield goes up before a person: counted, with its look; nil when nothing shields any more."
}

/// A button of a shield.
package enum ShieldButton: String, WireEnum {
    case primary
    case secondary
    case firstSubmenu = "first_submenu"
    case secondSubmenu = "second_submenu"
    case thirdSubmenu = "third_submenu"
    case unknown
}

/// What an app wants after a button.
package enum ShieldResponse: String, WireEnum {
    case none
    case close
    case `defer`
    case openApp = "open_app"
    case unknown
}

package enum ShieldPress: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var shield: String
        package var button: ShieldButton
        /// Counts the presses of one shield from 1; the same one again gets the same answer.
        package var press: Int64
        package var language: String?

        package init(shield: String, button: ShieldButton, press: Int64, language: String? = nil) {
            self.shield = shield
            self.button = button
            self.press = press
            self.language = language
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var response: ShieldResponse
        /// After `defer`: the shield drawn anew.
        package var view: ShieldLookView?
        /// Why the app's own answer is not there.
        package var problem: Problem?

        package init(response: ShieldResponse, view: ShieldLookView? = nil, problem: Problem? = nil) {
            self.response = response
            self.view = view
            self.problem = problem
        }
    }

    package static let name = "shield.action"
    package static let kind = RouteKind.write
    package static let summary = "A person has pressed a button of a shield; answered once for each press."
}

/// A shield that was shown.
package struct ShownShield: WireBody, Codable, Equatable {
    package var shield: String
    package var member: String
    package var subject: ShieldSubject
    package var category: String
    package var policy: Int64
    /// Who shielded it, the one whose look was shown first.
    package var causes: [ShieldCauseBody]
    package var segment: String?
    package var shownAt: String
    package var wallMs: Int64
    /// The last button pressed, and what came of it.
    package var button: ShieldButton?
    package var response: ShieldResponse?

    package enum CodingKeys: String, CodingKey {
        case shield, member, subject, category, policy, causes, segment, button, response
        case shownAt = "shown_at"
        case wallMs = "wall_ms"
    }

    package init(
        shield: String,
        member: String,
        subject: ShieldSubject,
        category: String,
        policy: Int64,
        causes: [ShieldCauseBody],
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
        self.segment = segment
        self.shownAt = shownAt
        self.wallMs = wallMs
        self.button = button
        self.response = response
    }
}

/// How often a shield came up before one thing.
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

        package enum CodingKeys: String, CodingKey {
            case member, next, limit
            case fromWallMs = "from_wall_ms"
            case toWallMs = "to_wall_ms"
        }

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
        /// On the first page only.
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
    package static let summary = "The shields shown, newest first, and how often each thing's came up."
}

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

    package enum CodingKeys: String, CodingKey {
        case policy, app, member, store, route, cause, reason
        case wallMs = "wall_ms"
        case isInForce = "is_in_force"
    }

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

        package enum CodingKeys: String, CodingKey {
            case member, subject
            case wallMs = "wall_ms"
        }

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

        package enum CodingKeys: String, CodingKey {
            case member, policy, category, decision, causes, grant, shown, lifts
            case wallMs = "wall_ms"
            case sinceWallMs = "since_wall_ms"
        }

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

package enum ShieldAllowedSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var items: [TokenItem]

        package init(member: String? = nil, items: [TokenItem]) {
            self.member = member
            self.items = items
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var policy: Int64
        package var member: String
        package var items: [TokenItem]

        package init(policy: Int64, member: String, items: [TokenItem]) {
            self.policy = policy
            self.member = member
            self.items = items
        }
    }

    package static let name = "shield.allowed.set"
    package static let kind = RouteKind.write
    package static let summary = "Replaces the list of what is never shielded for a member."
}

package enum ShieldAllowed: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package typealias Reply = ShieldAllowedSet.Reply

    package static let name = "shield.allowed"
    package static let kind = RouteKind.read
    package static let summary = "What is never shielded for a member."
}

package enum ShieldShown: EventType {
    package typealias Body = ShownShield

    package static let stream = StreamName.shield
    package static let type = "shield.shown"
    package static let summary = "A shield went up before a person, or a button of it was pressed."
}
