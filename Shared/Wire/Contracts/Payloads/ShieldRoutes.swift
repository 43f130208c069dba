package import STPlatform

/// The subject of a shield, as a person sees it: an app, and the site open in it.
package struct ShieldSubject: WireBody, Codable, Equatable {
    package var app: String?
    package var domain: String?
    /// A category, if no app or site is named. It stands for any app or site of this category.
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
        /// The category of the subject.
        package var category: String
        package var decision: ShieldDecisionBody
        /// The ways to lift the shield, as sentences, or the reason why nothing shields the subject.
        package var lifts: [Message]
        /// The end of a grant of more time. The decision may then change without a change of policy.
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
        "Returns whether an app or a site is shielded now, the causes, and the ways to lift the shield."
}

/// The source of a shield's look.
package enum ShieldAppearanceSource: String, WireEnum {
    case app
    case builtIn = "built_in"
    case unknown
}

/// The look of a shield and its source.
package struct ShieldAppearanceView: WireBody, Codable, Equatable {
    package var look: ShieldAppearance
    package var source: ShieldAppearanceSource
    /// The app whose extension was called, or whose rule it is.
    package var app: String
    /// The reason why the extension's own look is not shown.
    package var problem: Problem?
    /// Apple's name of the method that was not overridden.
    package var missing: String?
    /// The wall-clock time from which the look has other texts, such as the time until it opens. `nil` if they never change.
    package var goodUntilMs: Int64?

    package init(
        look: ShieldAppearance,
        source: ShieldAppearanceSource,
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
        /// The language of the texts, such as `ko` or `en_US`. `nil` means the language of the service.
        package var language: String?
        /// The app that supposedly shields the subject, for a preview. `nil` means the app that actually does.
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
        package var view: ShieldAppearanceView

        package init(decision: ShieldDecisionBody, view: ShieldAppearanceView) {
            self.decision = decision
            self.view = view
        }
    }

    package static let name = "shield.configuration"
    package static let kind = RouteKind.write
    package static let summary =
        "Returns the appearance of the shield of an app or a site, without recording it as shown."
}

package enum ShieldShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        package var language: String?
        /// The program that shows the shield, such as the agent's name.
        package var agent: String?
        /// The segment of the ledger that the observation opened.
        package var segment: String?
        /// The time of the observation.
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
        /// The name of the shield, for its buttons. `nil` if nothing is shielded.
        package var shield: String?
        package var view: ShieldAppearanceView?

        package init(
            policy: Int64,
            decision: ShieldDecisionBody,
            shield: String? = nil,
            view: ShieldAppearanceView? = nil
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
        "Records that a shield is shown to a person, and returns its appearance. "
        + "Returns no shield if nothing is shielded."
}

package enum ShieldButton: String, WireEnum {
    case primary
    case secondary
    case firstSubmenu = "first_submenu"
    case secondSubmenu = "second_submenu"
    case thirdSubmenu = "third_submenu"
    /// Only in the system's own look, because an app's menu has three entries.
    case fourthSubmenu = "fourth_submenu"
    case unknown

    /// The entries of a menu, from the top.
    package static let menu: [ShieldButton] = [.firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu]
}

/// The response of an app to a button.
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
        /// The number of the press of one shield, from 1. The same number gets the same reply.
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
        /// The shield's new look, after `defer`.
        package var view: ShieldAppearanceView?
        /// The reason why the app's own response is missing.
        package var problem: Problem?

        package init(response: ShieldResponse, view: ShieldAppearanceView? = nil, problem: Problem? = nil) {
            self.response = response
            self.view = view
            self.problem = problem
        }
    }

    package static let name = "shield.action"
    package static let kind = RouteKind.write
    package static let summary =
        "Reports that a person pressed a button of a shield, and returns the response. "
        + "A repeated request gets the same reply."
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
    package static let summary = "Lists the apps, categories and sites that are never shielded for a member."
}

package enum ShieldLog: Route {
    package typealias Request = MonitorLog.Request

    package typealias Reply = MonitorLog.Reply

    package static let name = "shield.log"
    package static let kind = RouteKind.query
    package static let summary = "Returns log lines of an app's shield extensions, oldest first."
}
