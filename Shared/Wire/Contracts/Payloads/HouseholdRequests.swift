package import STPlatform

/// A request for more time that is open on a machine: granted there, or waiting for a guardian.
package struct HouseholdRequest: WireBody, Codable, Equatable {
    /// As its machine calls it, such as R7.
    package var request: String
    /// When it was asked by the clock of its machine: after a new beginning there is another R7.
    package var askedMs: Int64
    /// As the household calls them; on a machine as this one does.
    package var member: String
    package var state: RequestState
    /// What it is for; empty means everything.
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    /// Who granted it: a guardian as their machine calls them, `RequestView.ownRule`, or a code.
    package var by: String?
    /// How long it is granted for from now on, or waits.
    package var leftMs: Int64
    /// The machine, by its name, where it was asked.
    package var device: String?
    /// Names it among those of all machines.
    package var key: String?

    package init(
        request: String,
        askedMs: Int64,
        member: String,
        state: RequestState,
        items: [TokenItem],
        durationMs: Int64,
        because: String? = nil,
        by: String? = nil,
        leftMs: Int64,
        device: String? = nil,
        key: String? = nil
    ) {
        self.request = request
        self.askedMs = askedMs
        self.member = member
        self.state = state
        self.items = items
        self.durationMs = durationMs
        self.because = because
        self.by = by
        self.leftMs = leftMs
        self.device = device
        self.key = key
    }

    package static let max = 200
}

/// A machine tells which of its people's requests are open, and hears what is granted to them on other machines.
package enum HouseholdRequests: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// All of this machine's own.
        package var open: [HouseholdRequest]
        /// The keys of those that were granted on another machine and taken back on this one.
        package var takenBack: [String]

        package init(open: [HouseholdRequest], takenBack: [String]) {
            self.open = open
            self.takenBack = takenBack
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// All that is granted on other machines to people of this one.
        package var granted: [HouseholdRequest]
        /// This machine's own, by their names, that were taken back on another one.
        package var takenBack: [String]
        /// What guardians say from their phones to this machine's own.
        package var answers: [HouseholdAnswer]?
        /// Requests that the household does not take, and why.
        package var why: Problem?

        package init(
            granted: [HouseholdRequest],
            takenBack: [String],
            answers: [HouseholdAnswer]? = nil,
            why: Problem? = nil
        ) {
            self.granted = granted
            self.takenBack = takenBack
            self.answers = answers
            self.why = why
        }
    }

    package static let name = "household.requests"
    package static let kind = RouteKind.write
    package static let access: Access = .device
    package static let keepsNoReply = true
    package static let summary =
        "Takes which requests for more time are open on a machine, and says what is granted to its people on others."
}

/// Takes what is granted to members of this machine on other machines, and says what is open here.
package enum RequestFollow: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The people of this machine for whom grants count on all their machines.
        package var members: [String]
        /// All that there are; nil: the household was not asked yet.
        package var granted: [HouseholdRequest]?
        /// Requests of this machine, by their names, that were taken back on another one.
        package var takenBack: [String]
        /// What guardians say from their phones to requests of this machine.
        package var answers: [HouseholdAnswer]?

        package init(
            members: [String],
            granted: [HouseholdRequest]? = nil,
            takenBack: [String] = [],
            answers: [HouseholdAnswer]? = nil
        ) {
            self.members = members
            self.granted = granted
            self.takenBack = takenBack
            self.answers = answers
        }
    }

    package typealias Reply = HouseholdRequests.Request

    package static let name = "request.follow"
    package static let kind = RouteKind.write
    /// Another program could give itself more time so.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Takes what is granted to members of this machine on other machines, and says what is open here."
}
