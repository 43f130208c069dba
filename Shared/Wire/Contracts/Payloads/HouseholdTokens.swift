/// Creates a token with which many machines join without a person's confirmation, as in a school.
package enum HouseholdToken: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The number of machines that may join with the token.
        package var machines: Int64
        package var days: Int64
        /// True to end all tokens and create none. Machines that have joined stay.
        package var ends: Bool?
        package var proof: Proof?

        package init(machines: Int64, days: Int64, ends: Bool? = nil, proof: Proof? = nil) {
            self.machines = machines
            self.days = days
            self.ends = ends
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The token. `nil` if all tokens were ended.
        package var token: String?
        package var until: String?

        package init(token: String? = nil, until: String? = nil) {
            self.token = token
            self.until = until
        }
    }

    package struct Open: WireBody, Codable, Equatable {
        package var machines: Int64
        package var joined: Int64
        package var until: String

        package init(machines: Int64, joined: Int64, until: String) {
            self.machines = machines
            self.joined = joined
            self.until = until
        }
    }

    package static let machinesMax: Int64 = 10_000
    package static let daysMax: Int64 = 366
    package static let name = "household.token"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let discardsReply = true
    package static let summary =
        "Creates a token that admits a number of machines without approval for a number of days, or ends all "
        + "tokens. On a child's machine, a new token requires a guardian's passcode if one is set."
}
