package import STDomain
package import STPlatform

package enum RequestAdd: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var items: [TokenItem]
        package var durationMs: Int64
        package var because: String?
        /// The shield from which the request was made.
        package var shield: String?

        package init(
            member: String? = nil,
            items: [TokenItem],
            durationMs: Int64,
            because: String? = nil,
            shield: String? = nil
        ) {
            self.member = member
            self.items = items
            self.durationMs = durationMs
            self.because = because
            self.shield = shield
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var request: RequestView
        package var notes: [ActivityNote]

        package init(request: RequestView, notes: [ActivityNote]) {
            self.request = request
            self.notes = notes
        }
    }

    package static let name = "request.add"
    package static let kind = RouteKind.write
    package static let summary = "Requests more time for apps, categories, sites or everything."
}

package enum RequestList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var state: RequestState?
        package var next: String?

        package init(member: String? = nil, state: RequestState? = nil, next: String? = nil) {
            self.member = member
            self.state = state
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var requests: [RequestView]
        package var next: String?

        package init(requests: [RequestView], next: String? = nil) {
            self.requests = requests
            self.next = next
        }
    }

    package static let name = "request.list"
    package static let kind = RouteKind.query
    package static let summary = "Lists the requests for more time, newest first."
}

package enum RequestApprove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var by: String?
        package var passcode: String?
        package var durationMs: Int64?

        package init(
            request: String,
            by: String? = nil,
            passcode: String? = nil,
            durationMs: Int64? = nil
        ) {
            self.request = request
            self.by = by
            self.passcode = passcode
            self.durationMs = durationMs
        }
    }

    package typealias Reply = RequestAnswered

    package static let name = "request.approve"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Grants a request for the requested time or less, with a guardian's passcode."
}

package enum RequestDeny: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var by: String?
        package var passcode: String?
        package var because: String?

        package init(request: String, by: String? = nil, passcode: String? = nil, because: String? = nil) {
            self.request = request
            self.by = by
            self.passcode = passcode
            self.because = because
        }
    }

    package typealias Reply = RequestAnswered

    package static let name = "request.deny"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Denies a request, with a guardian's passcode."
}

/// Grants a member time without a request, by a guardian's decision.
package enum RequestGrant: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        /// The apps, categories and sites. Empty means everything.
        package var items: [TokenItem]
        package var durationMs: Int64
        package var by: String?
        package var passcode: String?

        package init(
            member: String,
            items: [TokenItem],
            durationMs: Int64,
            by: String? = nil,
            passcode: String? = nil
        ) {
            self.member = member
            self.items = items
            self.durationMs = durationMs
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var request: RequestView?
        /// The reason why nothing changed. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(request: RequestView? = nil, refusal: Problem? = nil) {
            self.request = request
            self.refusal = refusal
        }
    }

    package static let name = "request.grant"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Grants a member time without a request, with a guardian's passcode."
}

package enum RequestRevoke: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String

        package init(request: String) {
            self.request = request
        }
    }

    package typealias Reply = RequestAnswered

    package static let name = "request.revoke"
    package static let kind = RouteKind.write
    package static let summary = "Revokes granted time, or withdraws a waiting request. Requires no passcode."
}

/// The current rule for a member's requests, and the next one.
package struct RequestRuleState: WireBody, Codable, Equatable {
    package var rule: RequestRule
    /// A looser rule that is not in force yet.
    package var next: RequestRule?
    package var nextFromWallMs: Int64?
    /// The number of grants on this day that count towards the rule's maximum.
    package var grantedToday: Int64

    package init(
        rule: RequestRule,
        next: RequestRule? = nil,
        nextFromWallMs: Int64? = nil,
        grantedToday: Int64 = 0
    ) {
        self.rule = rule
        self.next = next
        self.nextFromWallMs = nextFromWallMs
        self.grantedToday = grantedToday
    }
}

/// The state of a request for more time.
package enum RequestState: String, WireEnum {
    case waiting
    case granted
    case denied
    case revoked
    case ended
    case withdrawn
    /// No guardian answered in time.
    case expired
    case unknown

    package var label: Message {
        switch self {
        case .waiting: Message("request.state-waiting", "waiting")
        case .granted: Message("request.state-granted", "granted")
        case .denied: Message("request.state-denied", "denied")
        case .revoked: Message("request.state-revoked", "revoked")
        case .ended: Message("request.state-ended", "ended")
        case .withdrawn: Message("request.state-withdrawn", "withdrawn")
        case .expired: Message("request.state-expired", "expired")
        case .unknown: Message("request.state-unknown", "unknown")
        }
    }
}

/// A request for more time.
package struct RequestView: WireBody, Codable, Equatable {
    /// The value in place of a name if the person's own rule answered.
    package static let ownRule = "own rule"

    /// The short name, such as R7.
    package var request: String
    package var member: String
    /// The apps, categories and sites. Empty means everything.
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    package var state: RequestState
    package var askedAt: String
    /// The time at which the person's own rule grants the request, unless it is answered earlier.
    package var grantsAt: String?
    /// The time until which a guardian can answer, if a guardian must.
    package var expiresAt: String?
    package var answeredAt: String?
    /// The source of the answer: a member, `ownRule` or `code`.
    package var answeredBy: String?
    /// The reason for a denial: the guardian's own words, or the reason of the person's own rule.
    package var answer: Message?
    package var fromWallMs: Int64?
    package var untilWallMs: Int64?
    /// The other machine on which the request was made and granted.
    package var device: String?

    package init(
        request: String,
        member: String,
        items: [TokenItem],
        durationMs: Int64,
        because: String? = nil,
        state: RequestState,
        askedAt: String,
        grantsAt: String? = nil,
        expiresAt: String? = nil,
        answeredAt: String? = nil,
        answeredBy: String? = nil,
        answer: Message? = nil,
        fromWallMs: Int64? = nil,
        untilWallMs: Int64? = nil,
        device: String? = nil
    ) {
        self.request = request
        self.member = member
        self.items = items
        self.durationMs = durationMs
        self.because = because
        self.state = state
        self.askedAt = askedAt
        self.grantsAt = grantsAt
        self.expiresAt = expiresAt
        self.answeredAt = answeredAt
        self.answeredBy = answeredBy
        self.answer = answer
        self.fromWallMs = fromWallMs
        self.untilWallMs = untilWallMs
        self.device = device
    }
}

extension RequestView {
    /// Returns the state as a text that follows the request's name. Shields, notifications and terminals use the same text.
    package func statusText(_ moments: MomentFormatter) -> String {
        func say(_ key: String, _ text: MessageText) -> String { moments.language.text(key, text) }
        let until = untilWallMs.map(moments.text) ?? ""
        switch state {
        case .waiting:
            if let grantsAt {
                let at = moments.at(wire: grantsAt)
                return say("request-notice.will-be-granted", "will be granted \(at, "at")")
            }
            guard let end = expiresAt.map(moments.text) else {
                return say("request-notice.waits-for-a-guardian", "waiting for a guardian")
            }
            return say(
                "request-notice.waits-for-a-guardian-until",
                "waiting for a guardian until \(end, "end")"
            )
        case .granted:
            guard let device else {
                return say("request-notice.granted-until", "granted until \(until, "until")")
            }
            return say(
                "request-notice.granted-until-on",
                "granted until \(until, "until"), on \(device, "device")"
            )
        case .denied:
            let why = answer.map { ": “\($0.text(in: moments.language))”" } ?? ""
            guard let answeredBy, answeredBy != Self.ownRule else {
                return say("request-notice.not-granted", "not granted") + why
            }
            return say("request-notice.denied-by", "denied by \(answeredBy, "answeredBy")") + why
        case .revoked:
            let at = untilWallMs.map(moments.at) ?? ""
            return say("request-notice.taken-back", "revoked \(at, "at")")
        case .ended:
            let at = untilWallMs.map(moments.at) ?? ""
            return say("request-notice.over-since", "ended \(at, "until")")
        case .withdrawn: return say("request-notice.withdrawn", "withdrawn")
        case .expired:
            return say("request-notice.no-guardian-answered-in", "no guardian answered in time")
        case .unknown:
            return say("request-notice.in-a-state-that", "in a state that this version does not recognise")
        }
    }
}

/// A request for more time, as it is reported to the people who answer it or wait for the answer.
package struct RequestUpdate: WireBody, Codable, Equatable {
    package var request: RequestView
    /// The requested time and items, such as `15 min of Firefox`.
    package var what: String
    /// The requested items without the time. `nil` if the request is for everything.
    package var things: String?
    /// The time zone of the request or the answer.
    package var zone: String?

    package init(request: RequestView, what: String, things: String? = nil, zone: String? = nil) {
        self.request = request
        self.what = what
        self.things = things
        self.zone = zone
    }
}

package enum RequestChanged: EventType {
    package typealias Body = RequestUpdate

    package static let stream = StreamName.shield
    package static let type = "shield.request.changed"
    package static let summary = "A member requested more time, or the state of a request changed."
}

/// The reply to a request that may require a passcode.
package struct RequestAnswered: WireBody, Codable, Equatable {
    package var request: RequestView
    /// The reason why nothing changed. auth-service records an attempt with a wrong passcode.
    package var refusal: Problem?

    package init(request: RequestView, refusal: Problem? = nil) {
        self.request = request
        self.refusal = refusal
    }
}

package enum RequestCode: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var request: String
        package var code: String

        package init(request: String, code: String) {
            self.request = request
            self.code = code
        }
    }

    package typealias Reply = RequestAnswered

    package static let name = "request.code"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Grants a request, for at most one hour, with a one-time code from a guardian's phone."
}

package enum RequestCodeSetup: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String
        package var by: String?
        package var passcode: String?

        package init(member: String, by: String? = nil, passcode: String? = nil) {
            self.member = member
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The URI for an authenticator app. It is shown only once.
        package var uri: String?
        package var secret: String?
        package var refusal: Problem?

        package init(uri: String? = nil, secret: String? = nil, refusal: Problem? = nil) {
            self.uri = uri
            self.secret = secret
            self.refusal = refusal
        }
    }

    package static let name = "request.code.setup"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let discardsReply = true
    package static let summary =
        "Creates a new secret for one-time codes on a guardian's phone. The previous secret becomes invalid."
}

package enum RequestRuleSet: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var rule: RequestRule
        package var by: String?
        package var passcode: String?

        package init(rule: RequestRule, by: String? = nil, passcode: String? = nil) {
            self.rule = rule
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RequestRule
        /// The time from which the rule applies. A looser rule may have to wait.
        package var fromWallMs: Int64?
        package var refusal: Problem?

        package init(rule: RequestRule, fromWallMs: Int64? = nil, refusal: Problem? = nil) {
            self.rule = rule
            self.fromWallMs = fromWallMs
            self.refusal = refusal
        }
    }

    package static let name = "request.rule.set"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Changes the rule that answers a member's own requests. For a child, requires a guardian's passcode."
}

package enum RequestRuleShow: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?

        package init(member: String? = nil) {
            self.member = member
        }
    }

    package typealias Reply = RequestRuleState

    package static let name = "request.rule"
    package static let kind = RouteKind.read
    package static let summary = "Returns the rule that answers a member's own requests."
}
