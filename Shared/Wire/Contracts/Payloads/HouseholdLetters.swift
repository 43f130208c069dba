/// A message from one machine to another. The household delivers it but cannot read it.
package struct HouseholdMessage: WireBody, Codable, Equatable {
    package var letter: String
    package var to: String
    /// The id of the letter that this one answers.
    package var answers: String?
    /// The sealed text in base64.
    package var sealed: String
    /// The maximum time for which the letter waits for its machine. `nil` means `HouseholdPost.lastsMs`.
    package var lastsMs: Int64?
    /// The id of the sending machine. The household sets the machine's id, name and public key.
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
        package var send: HouseholdMessage?
        /// The ids of letters that the household can remove. These are received letters that were answered, and sent letters that
        /// no longer wait for a reply.
        package var taken: [String]

        package init(send: HouseholdMessage? = nil, taken: [String] = []) {
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
    package static let discardsReply = true
    package static let summary =
        "Queues a message that only the receiving machine can read, and removes messages that are no longer "
        + "needed."
}

package enum HouseholdMachines: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The name or the id of one machine. `nil` means all machines.
        package var machine: String?
        /// The name in the household of the person whose machines are listed.
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

    /// Upper bound on the machines in a reply, which is more than a person reads.
    package static let max = 200
    package static let name = "household.machines"
    package static let kind = RouteKind.query
    package static let access = Access.device
    package static let summary =
        "Lists machines of the household, with their public keys and the times of their last requests."
}
