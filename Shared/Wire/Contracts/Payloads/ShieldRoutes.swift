package import STPlatform

/// What is in front, as a person sees it: an app, and the site open in it.
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
        package var lifts: [Message]
        /// When more time that was granted ends, and the decision may be another without a change of policy.
        package var untilWallMs: Int64?

        package init(
            member: String,
            policy: Int64,
            category: String,
            decision: ShieldDecisionBody,
            lifts: [Message],
            untilWallMs: Int64? = nil
        ) {
            self.member = member
            self.policy = policy
            self.category = category
            self.decision = decision
            self.lifts = lifts
            self.untilWallMs = untilWallMs
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
    /// By the wall clock: from then on it says something else, such as when it opens; nil for as long as it is shown.
    package var goodUntilMs: Int64?

    package init(
        look: ShieldLook,
        source: ShieldLookSource,
        app: String,
        problem: Problem? = nil,
        missing: String? = nil,
        goodUntilMs: Int64? = nil
    ) {
        self.look = look
        self.source = source
        self.app = app
        self.problem = problem
        self.missing = missing
        self.goodUntilMs = goodUntilMs
    }
}

package enum ShieldConfigurationAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        /// Such as `ko` or `en_US`; nil is the language of the service.
        package var language: String?
        /// As though it were shielded by this app, for a preview; nil is the app that shields it.
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
        "A shield goes up in front of a person: counted, with its look; nil when nothing shields any more."
}

package enum ShieldButton: String, WireEnum {
    case primary
    case secondary
    case firstSubmenu = "first_submenu"
    case secondSubmenu = "second_submenu"
    case thirdSubmenu = "third_submenu"
    /// On the system's own look alone: an app's menu has three lines.
    case fourthSubmenu = "fourth_submenu"
    case unknown

    /// The lines of a menu from the top.
    package static let menu: [ShieldButton] = [.firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu]
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

package enum ShieldAllowed: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
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

    package static let name = "shield.allowed"
    package static let kind = RouteKind.read
    package static let summary = "What is never shielded for a member."
}

package enum ShieldLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "shield.log"
    package static let kind = RouteKind.query
    package static let summary = "What an app's shield extensions wrote, oldest first."
}
