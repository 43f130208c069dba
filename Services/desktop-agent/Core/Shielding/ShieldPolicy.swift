package import STContracts
package import STDomain

/// What is shielded for whom, as far as it was told: enough to decide without asking anybody, also when nobody answers.
package struct ShieldPolicy: Sendable, Equatable {
    package internal(set) var book = PolicyBook()
    package internal(set) var facts = FactBook()
    package internal(set) var people = ScreenPeople()

    package init() {}

    /// As `shield.decide` of shield-service does.
    package func decide(_ subject: ShieldSubject, member: String, wallMs: Int64) -> ShieldDecision {
        book.decide(facts.thing(subject), member: member, wallMs: wallMs)
    }

    /// When something may be decided differently though nobody says anything: a grant ends.
    package func nextWallMs(member: String, after wallMs: Int64) -> Int64? {
        book.members[member]?.grants.values.compactMap(\.untilMs).filter { $0 > wallMs }.min()
    }

    /// What people call an app; nil when nobody has said.
    package func name(ofApp app: String, language: String) -> String? {
        guard let facts = facts.facts(app: app) else { return nil }
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        return facts.names[language] ?? facts.names[general] ?? facts.name
    }
}
