import STContracts
import STPlatform

/// Who belongs here, as auth-service says.
package struct Household: Sendable, Equatable {
    package private(set) var members: Set<String> = []
    /// Whose account this is: the first individual.
    package private(set) var owner: String?
    /// Whether all that auth-service has said is known: until then somebody may be missing.
    package internal(set) var isWhole = false

    mutating func add(_ name: String, isIndividual: Bool) {
        members.insert(name)
        if owner == nil, isIndividual { owner = name }
    }

    /// The member that a request means; nil means the owner.
    package func member(_ asked: String?) throws -> String {
        guard let member = asked ?? owner, isWhole || members.contains(member) else {
            throw Problem(
                "unavailable",
                "auth-service has not said yet who belongs to the household.",
                retryable: true,
                help: "screentime status"
            )
        }
        guard members.contains(member) else {
            throw Problem(
                "member.unknown",
                "Nobody of the household is called \(member).",
                field: "/member",
                help: "screentime member list"
            )
        }
        return member
    }
}
