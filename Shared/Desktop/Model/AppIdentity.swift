package import STContracts

/// Which app a window belongs to, and how that was found out.
package struct AppIdentity: Sendable, Equatable {
    /// As it is counted and shielded: mostly the name of its desktop entry.
    package var id: String
    /// What people call it, in the language of the system; nil when nothing says so.
    package var name: String?
    package var clue: AppClue
    /// What was tried, in order, as sentences; the last one is what decided.
    package var steps: [String]

    package init(id: String, name: String? = nil, clue: AppClue, steps: [String]) {
        self.id = id
        self.name = name
        self.clue = clue
        self.steps = steps
    }
}
