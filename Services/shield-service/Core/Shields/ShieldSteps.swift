package import STContracts
import STDomain
package import STPlatform

// The messages between shield-service and its companion, which calls the extensions.

/// A name in a call to an extension, before it is replaced by a token.
package struct ShieldName: WireBody, Codable, Equatable {
    package var id: String
    package var name: String?
}

/// The shielded subject for an app: the app or the site, and the category if a setting names it.
package struct ShieldTarget: WireBody, Codable, Equatable {
    package var application: ShieldName?
    package var domain: ShieldName?
    package var category: ShieldName?
    /// The additional time that each line of the system's own menu requests.
    package var offers: [MoreOffer]?

    package init(application: ShieldName? = nil, domain: ShieldName? = nil, category: ShieldName? = nil) {
        self.application = application
        self.domain = domain
        self.category = category
    }

    /// Creates a target of everything in the subject.
    init(_ subject: ShieldSubject) {
        application = subject.app.map { ShieldName(id: $0) }
        domain = subject.domain.map { ShieldName(id: $0) }
    }

    /// The items, in the order application, domain, category.
    package var items: [TokenItem] {
        [(TokenKind.application, application), (.domain, domain), (.category, category)].compactMap {
            kind,
            name in name.map { TokenItem(kind: kind, id: $0.id) }
        }
    }
}

/// The extension to call for the look of a shield, and the subject of the call.
package struct ShieldAppearanceRequest: Sendable, Equatable {
    /// `nil` if no app has an extension for the look.
    package var app: String?
    package var member: String
    package var executable: String?
    package var bundle: String?
    /// The groups that the app shares with its extensions. The look may depend on their files.
    package var groups: [String] = []
    package var target: ShieldTarget?
    /// Changes whenever anything changes that the look may depend on.
    package var stamp = ""
    package var language: String
}

/// An amount of additional time that a shield offers.
package enum MoreOffer: String, WireEnum {
    /// A minute to save and finish. Granted automatically, once a day for each thing.
    case minute
    case quarter
    case hour
    case day
    case unknown

    static let oneMinute = Duration.seconds(60)

    func duration(_ now: WallTime, zone: String) -> Duration {
        switch self {
        case .minute: Self.oneMinute
        case .quarter, .unknown: .seconds(60 * 15)
        case .hour: .seconds(3_600)
        case .day:
            min(
                .milliseconds(RequestRule.grantMs.upperBound),
                WallTime(ms: LocalDay(zone: zone).end(ofDayAtWallMs: now.ms)) - now
            )
        }
    }
}

/// The look that the companion received, or the problem.
package struct ShieldAppearanceResult: WireBody, Codable, Equatable {
    package var app: String
    package var stamp: String
    package var look: ShieldAppearance?
    package var problem: Problem?
    package var missing: String?

    package init(
        app: String,
        stamp: String,
        look: ShieldAppearance? = nil,
        problem: Problem? = nil,
        missing: String? = nil
    ) {
        self.app = app
        self.stamp = stamp
        self.look = look
        self.problem = problem
        self.missing = missing
    }
}

package enum ShieldAppearanceCall: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        package var language: String?
        /// The app of a preview, which is drawn as if this app had set the shield.
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
        /// `nil` if no app had to be called.
        package var answer: ShieldAppearanceResult?

        package init(answer: ShieldAppearanceResult? = nil) { self.answer = answer }
    }

    package static let name = "shield.look.ask"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Asks an app's extension what its shield looks like."
}

/// A call to a shield-action extension.
package struct PressJob: Sendable, Equatable {
    package var app: String
    package var member: String
    package var executable: String
    package var bundle: String?
    package var target: ShieldTarget
    /// The identifier of the call, the same in every attempt.
    package var call: String
    package var attempt: Int64
}

/// A press that was saved before an extension is called.
package struct PressStart: Sendable, Equatable {
    /// `nil` if no app has to be called.
    package var job: PressJob?
    /// The request for the look after `defer`.
    package var look: ShieldAppearanceCall.Request
    /// True for the second button of the system's own look.
    package var isForMore: Bool
}

package enum PressCall: Route {
    package typealias Request = ShieldPress.Request

    package struct Reply: WireBody, Codable, Equatable {
        package var response: ShieldResponse?
        package var problem: Problem?
        /// The look after `defer`.
        package var look: ShieldAppearanceResult?
        /// True for the system's own button for more time, which calls no app.
        package var isForMore: Bool

        package init(
            response: ShieldResponse? = nil,
            problem: Problem? = nil,
            look: ShieldAppearanceResult? = nil,
            isForMore: Bool = false
        ) {
            self.response = response
            self.problem = problem
            self.look = look
            self.isForMore = isForMore
        }
    }

    package static let name = "shield.press.ask"
    package static let kind = RouteKind.write
    package static let access: Access = []
    package static let summary = "Asks an app's extension what happens when a button is pressed."
}
