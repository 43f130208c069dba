/// What one machine has to say to another: the household carries it, and cannot read it.
package struct HouseholdLetter: WireBody, Codable, Equatable {
    package var letter: String
    package var to: String
    /// The letter that this one answers.
    package var answers: String?
    /// In base64.
    package var sealed: String
    /// How long it may wait for its machine; nil: as long as a person waits.
    package var lastsMs: Int64?
    /// Whose it is, what this machine is called, and its public key: the household says so.
    package var from: String?
    package var name: String?
    package var key: String?

    package init(
        letter: String,
        to: String,
        answers: String? = nil,
        sealed: String,
        lastsMs: Int64? = nil,
        from: String? = nil,
        name: String? = nil,
        key: String? = nil
    ) {
        self.letter = letter
        self.to = to
        self.answers = answers
        self.sealed = sealed
        self.lastsMs = lastsMs
        self.from = from
        self.name = name
        self.key = key
    }
}

package enum HouseholdPost: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var send: HouseholdLetter?
        /// Letters that are done with: they came here and were answered, or went out and will not be waited for.
        package var taken: [String]

        package init(send: HouseholdLetter? = nil, taken: [String] = []) {
            self.send = send
            self.taken = taken
        }
    }

    package typealias Reply = Empty

    package static let lastsMs: Int64 = 120_000
    package static let lastsMsMax: Int64 = 86_400_000
    package static let takenMax = 64
    package static let name = "household.post"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let keepsNoReply = true
    package static let summary = "Carries a letter to another machine, which alone can read it."
}

package enum HouseholdMachines: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The name of one, or its id; nil: all.
        package var machine: String?
        /// Those of this person alone, by the household's name.
        package var member: String?

        package init(machine: String? = nil, member: String? = nil) {
            self.machine = machine
            self.member = member
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [HouseholdDevice]
        /// The public keys of these machines.
        package var keys: [String: String]

        package init(devices: [HouseholdDevice], keys: [String: String]) {
            self.devices = devices
            self.keys = keys
        }
    }

    /// More than a person looks through.
    package static let max = 200
    package static let name = "household.machines"
    package static let kind = RouteKind.query
    package static let access = Access.device
    package static let summary = "The machines of the household, and when each was heard of."
}
