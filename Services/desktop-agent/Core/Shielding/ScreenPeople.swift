package import STContracts

/// Who belongs to the household, as auth-service says.
package struct ScreenPeople: Sendable, Equatable {
    /// More than any household has.
    private static let membersMax = 1_000

    package private(set) var members: [Member] = []

    /// Whose account this is: the first individual.
    package var owner: String? { members.first { $0.role == .individual }?.name }

    /// Whose time the screen's is: who was named in the settings, or else the owner.
    package func member(configured: String) -> String? { configured.isEmpty ? owner : configured }

    package func isChild(_ member: String) -> Bool {
        members.contains { $0.name == member && $0.role == .child }
    }

    package func hasGuardian(besides member: String) -> Bool {
        members.contains { $0.role == .guardian && $0.name != member }
    }

    /// Whether it was not known yet.
    mutating func add(_ member: Member) -> Bool {
        guard members.count < Self.membersMax, !members.contains(where: { $0.name == member.name }) else {
            return false
        }
        members.append(member)
        return true
    }
}
