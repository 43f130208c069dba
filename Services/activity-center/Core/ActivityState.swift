import STContracts

/// What the ledger needs to know to take the next observation.
package struct ActivityState: Sendable, Equatable {
    package struct Key: Sendable, Hashable {
        package var agent: String
        package var member: String
    }

    package struct Run: Sendable, Hashable {
        package var agent: String
        package var run: String
    }

    package var members: Set<String> = []
    /// Whose account this is: who is meant when nobody is named.
    package var owner: String?
    package var book = ActivityBook()
    package var categories = CategoryBook()
    package var timelines: [Key: Timeline] = [:]
    /// Up to which boot time the followers know of the open stretch.
    package var toldBootMs: [Key: Int64] = [:]
    package var lastSequence: [Run: Int64] = [:]
}
