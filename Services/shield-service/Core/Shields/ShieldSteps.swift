package import STContracts
import STDomain
package import STPlatform

// What shield-service and its companion, which calls the extensions, ask of each other.

/// What stands in a call to an extension before it has tokens: names.
package struct ShieldName: WireBody, Codable, Equatable {
    package var id: String
    package var name: String?
}

/// What is shielded, for an app: the app or the site, and the category when a setting names that.
package struct ShieldTarget: WireBody, Codable, Equatable {
    package var application: ShieldName?
    package var domain: ShieldName?
    package var category: ShieldName?
    /// How much more time each line of the system's own menu asks for.
    package var offers: [MoreOffer]?

    package init(application: ShieldName? = nil, domain: ShieldName? = nil, category: ShieldName? = nil) {
        self.application = application
        self.domain = domain
        self.category = category
    }

    /// All that is in front.
    init(_ subject: ShieldSubject) {
        application = subject.app.map { ShieldName(id: $0) }
        domain = subject.domain.map { ShieldName(id: $0) }
    }

    /// In the order in which the three stand above.
    package var items: [TokenItem] {
        [(TokenKind.application, application), (.domain, domain), (.category, category)].compactMap {
            kind,
            name in name.map { TokenItem(kind: kind, id: $0.id) }
        }
    }
}

/// Which extension to ask for the look of a shield, and about what.
package struct LookWanted: Sendable, Equatable {
    /// Nil when no app has an extension for it.
    package var app: String?
    package var member: String
    package var executable: String?
    package var bundle: String?
    /// What the app shares with its extensions: the look may depend on those files.
    package var groups: [String] = []
    package var target: ShieldTarget?
    /// It changes whenever something changes that the look may depend on.
    package var stamp = ""
    package var language: String
}

/// How much more time a shield offers to ask for.
package enum MoreOffer: String, WireEnum {
    /// Once a day for each thing, granted by itself: to save and to finish.
    case minute
    case quarter
    case hour
    case day
    case unknown

    static let minuteMs: Int64 = 60_000

    func durationMs(nowMs: Int64, zone: String) -> Int64 {
        switch self {
        case .minute: Self.minuteMs
        case .quarter, .unknown: 15 * 60_000
        case .hour: 3_600_000
        case .day:
            min(RequestRule.grantMs.upperBound, LocalDay(zone: zone).end(ofDayAtWallMs: nowMs) - nowMs)
        }
    }
}

/// What the companion found out about a look.
package struct LookAnswer: WireBody, Codable, Equatable {
    package var app: String
    package var stamp: String
    package var look: ShieldLook?
    package var problem: Problem?
    package var missing: String?

    package init(
        app: String,
        stamp: String,
        look: ShieldLook? = nil,
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

package enum LookAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var subject: ShieldSubject
        package var language: String?
        /// As though this app had put the shield up.
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
        /// Nil when no app had to be asked.
        package var answer: LookAnswer?

        package init(answer: LookAnswer? = nil) { self.answer = answer }
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
    /// The id of the call: the same in every attempt.
    package var call: String
    package var attempt: Int64
}

/// A press that was written down before an extension is asked.
package struct PressBegun: Sendable, Equatable {
    /// Nil: no app has to be asked.
    package var job: PressJob?
    /// For the look after `defer`.
    package var look: LookAsk.Request
    /// The second button of the system's own look.
    package var isForMore: Bool
}

package enum PressAsk: Route {
    package typealias Request = ShieldPress.Request

    package struct Reply: WireBody, Codable, Equatable {
        package var response: ShieldResponse?
        package var problem: Problem?
        /// The look after `defer`.
        package var look: LookAnswer?
        /// True for the system's own button for more time, about which no app is asked.
        package var isForMore: Bool

        package init(
            response: ShieldResponse? = nil,
            problem: Problem? = nil,
            look: LookAnswer? = nil,
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
