package import STContracts

/// What the ledger needs to know to take the next observation.
package struct ActivityState: Sendable, Equatable {
    package struct Run: Sendable, Hashable {
        package var agent: String
        package var run: String
    }

    package var members: Set<String> = []
    /// Whose account this is: the first individual of the household.
    package var owner: String?
    package var book = ActivityBook()
    package var categories = CategoryBook()
    /// By member.
    package var timelines: [String: Timeline] = [:]
    package var lastSequence: [Run: Int64] = [:]
    /// When each agent was first seen, in wall time.
    package var agents: [String: Int64] = [:]
    package var chain = LedgerChain()
    /// Whose past was brought here, in the order of their ids.
    package var devices: [ImportedDevice] = []

    package mutating func add(_ member: Member) {
        members.insert(member.name)
        if owner == nil, member.role == .individual { owner = member.name }
    }
}
