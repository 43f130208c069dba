package import STContracts
package import STPlatform

/// An account of this computer and the household member who owns the account.
package struct DoorAccount: Sendable {
    package let name: String
    package private(set) var member: DoorPerson?
    /// The problem that requests receive while no member owns the account.
    private var problem = Problem(
        "unavailable",
        "auth-service has not yet reported which member owns this account. Try again in a moment.",
        retryable: true
    )

    package init(_ name: String) { self.name = name }

    package var isChild: Bool { member?.role == .child }

    package func requireMember() throws(Problem) -> DoorPerson {
        guard let member else { throw problem }
        return member
    }

    /// Returns a line for the log if the person has changed.
    package mutating func update(_ members: [Member]) -> String? {
        let before = member
        member = members.first { $0.account == name }.map {
            DoorPerson(account: name, member: $0.name, role: $0.role)
        }
        problem = Problem(
            "account.no_member",
            "The account \(name, "name") does not belong to a member of the household, so its usage is not counted.",
            help: "sudo screentime member account NAME \(name)"
        )
        guard member != before else { return nil }
        return member.map { "This account is \($0.member)'s." } ?? "This account is no person's."
    }

    /// Stores why the members could not be read. If a person was read before, the account keeps that person.
    package mutating func fail(_ error: any Error) { if member == nil { problem = Problem(error) } }
}
