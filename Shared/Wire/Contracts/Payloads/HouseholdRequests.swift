package import STPlatform

/// An open request for more time on a machine. It is granted there, or waits for a guardian.
package struct HouseholdRequest: WireBody, Codable, Equatable {
    /// The name of the request on its machine, such as R7.
    package var request: String
    /// The time of the request by its machine's clock. If the machine loses its data, another request can have the same name.
    package var askedMs: Int64
    /// The person's name in the household. On a machine, the person's name on that machine.
    package var member: String
    package var state: RequestState
    /// The apps, categories and sites. Empty means everything.
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    /// The person who granted the request: a guardian by their machine's name, `RequestView.ownRule`, or a code.
    package var by: String?
    /// The remaining time of the grant, or of the wait for a guardian.
    package var leftMs: Int64
    /// The name of the machine on which the request was made.
    package var device: String?
    /// The id of the request among those of all machines.
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

/// Sends the open requests of a machine's people, and returns the grants that they have on other machines.
package enum HouseholdRequests: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// All open requests of this machine.
        package var open: [HouseholdRequest]
        /// The keys of requests that were granted on another machine and revoked on this one.
        package var takenBack: [String]

        package init(open: [HouseholdRequest], takenBack: [String]) {
            self.open = open
            self.takenBack = takenBack
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// All grants on other machines for people of this machine.
        package var granted: [HouseholdRequest]
        /// The names of this machine's requests that were revoked on another machine.
        package var takenBack: [String]
        /// The answers from guardians' phones to this machine's requests.
        package var answers: [HouseholdAnswer]?
        /// The reason why the household ignores some of the requests.
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
    package static let discardsReply = true
    package static let summary =
        "Stores a machine's open requests for more time, and returns its people's grants on other machines."
}

/// Applies grants of other machines to members of this machine, and returns the open requests of this machine.
package enum RequestFollow: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The people of this machine whose grants apply on all their machines.
        package var members: [String]
        /// All current grants. `nil` if the household has not been asked yet.
        package var granted: [HouseholdRequest]?
        /// The names of this machine's requests that were revoked on another machine.
        package var takenBack: [String]
        /// The answers from guardians' phones to this machine's requests.
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
    /// Only link-service, because another program could grant itself more time.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Applies grants of other machines to members of this machine, and returns this machine's open "
        + "requests."
}
