package enum RequestAdd: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var items: [TokenItem]
        package var durationMs: Int64
        package var because: String?
        /// The shield it is asked from.
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
    package static let summary = "Asks for more time with something that is shielded."
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
    package static let summary = "The requests for more time, newest first."
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
    package static let summary = "A guardian grants a request, for as long as asked or for less."
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
    package static let summary = "A guardian refuses a request."
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
    package static let summary = "Takes back what was granted, or withdraws what was asked; needs no proof."
}

/// The rule that holds, and the one that will.
package struct RequestRuleState: WireBody, Codable, Equatable {
    package var rule: RequestRule
    /// A looser one that waits.
    package var next: RequestRule?
    package var nextFromWallMs: Int64?
    /// How many were granted on this day, of those that the rule has.
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
