import STContracts
import STDomain

/// What is decided about one subject, with what showing its shield needs to know.
struct ShieldVerdict: Sendable, Equatable {
    var member: String
    var policy: Int64
    /// As it is told: of many causes the first.
    var decision: ShieldDecisionBody
    /// All of them, in the decision's order.
    var causes: [ShieldCauseBody]
    /// Of what is in front: of the site where there is one, else of the app.
    var category: String
    /// For each cause, whether it is about the site and not about the app.
    var isSite: [Bool]
    /// For each cause, the version of its store.
    var versions: [Int64]
    /// For each cause, what its rule has to say; nil where it is no rule's.
    var notes: [ShieldNote?]
    /// More time that is asked for, and not granted yet.
    var waiting: MoreTime?
    var facts: SubjectFacts?
    var siteFacts: SubjectFacts?
    /// Of the decision, and the zone of this computer then.
    var wallMs: Int64
    var zone: String

    /// Before then it does not open by itself; nil where one of the causes does not say.
    var opensMs: Int64? { ShieldNote.opensMs(notes) }

    /// As people call the app; never nil, as on a phone.
    func appName(_ app: String, _ language: String) -> String { Self.name(facts, language) ?? app }

    func siteName(_ domain: String, _ language: String) -> String {
        // What is said of a whole is not the name of its parts.
        guard siteFacts?.subject == FactBook.sitePrefix + domain else { return domain }
        return Self.name(siteFacts, language) ?? domain
    }

    /// In the language itself, or in the one it is a kind of.
    private static func name(_ facts: SubjectFacts?, _ language: String) -> String? {
        guard let facts else { return nil }
        let general = String(language.prefix { $0 != "_" && $0 != "-" })
        return facts.names[language] ?? facts.names[general] ?? facts.name
    }
}
