package import STPlatform

/// A machine that has requested to join, and waits for approval.
package struct HouseholdGuest: WireBody, Codable, Equatable {
    package var name: String
    package var accounts: [HouseholdAccount]
    /// The guardians of children on the machine. On a trusted machine, they can loosen children's rules for all machines.
    package var guardians: [String]?
    /// The number that both machines show.
    package var number: String
    /// True if the machine reports that it is a protected computer.
    package var isProtected: Bool?

    package init(
        name: String,
        accounts: [HouseholdAccount],
        guardians: [String]? = nil,
        number: String,
        isProtected: Bool? = nil
    ) {
        self.name = name
        self.accounts = accounts
        self.guardians = guardians
        self.number = number
        self.isProtected = isProtected
    }
}

package enum HouseholdTrust: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The machine's name or id.
        package var device: String
        package var isTrusted: Bool
        package var proof: Proof?

        package init(device: String, isTrusted: Bool, proof: Proof? = nil) {
            self.device = device
            self.isTrusted = isTrusted
            self.proof = proof
        }
    }

    package typealias Reply = HouseholdConfirm.Reply

    package static let name = "household.trust"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Sets whether a machine's guardians may loosen children's rules on all machines. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

extension HouseholdDevice {
    /// Returns the problem of a person who names a machine that the household does not have.
    package static func unknown(_ wanted: String, among names: [String], field: String) -> Problem {
        let shown = TextFormat.truncated(wanted, bytes: 80)
        return Problem(
            "household.unknown_device",
            text: TextFormat.closest(to: wanted, in: names).map {
                Message(
                    "household.unknown_device.did-you-mean",
                    "The household has no machine called \(shown, "name"). Did you mean \($0, "near")?"
                )
            }
                ?? Message(
                    "household.unknown_device.no-machine-called",
                    "The household has no machine called \(shown, "name")."
                ),
            field: field,
            help: "screentime household show"
        )
    }
}
