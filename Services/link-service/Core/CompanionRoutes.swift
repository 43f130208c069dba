package import STContracts
package import STPlatform

/// Makes the companion send a join request to the household of a code. No role may call this route over the
/// bus.
package enum JoinQuery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var code: String
        package var accounts: [HouseholdAccount]
        package var guardians: [String]
        package var identity: String?
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var members: [String]
        /// The key made for this machine, as hexadecimal digits.
        package var secret: String
        package var number: String?
        package var problem: Problem?

        package init(members: [String], secret: String, number: String? = nil, problem: Problem? = nil) {
            self.members = members
            self.secret = secret
            self.number = number
            self.problem = problem
        }
    }

    package static let name = "link.knock.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let isConfidential = true
    package static let summary = "Asks a household to let this machine in."
}

/// Requests the machines of the household from the companion. No role may call this route over the bus.
package enum MachinesQuery: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [HouseholdDevice]
        package var problem: Problem?

        package init(devices: [HouseholdDevice], problem: Problem? = nil) {
            self.devices = devices
            self.problem = problem
        }
    }

    package static let name = "link.machines.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let summary = "Asks the household for its machines."
}

/// Makes the companion send a request to another machine and wait for the answer. No role may call this route
/// over the bus.
package enum RelayQuery: Route {
    package typealias Request = LinkAsk.Request

    package struct Reply: WireBody, Codable, Equatable {
        package var body: String?
        package var problem: Problem?

        package init(body: String? = nil, problem: Problem? = nil) {
            self.body = body
            self.problem = problem
        }
    }

    package static let name = "link.letter.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let isConfidential = true
    package static let summary = "Asks another machine, and waits."
}
