/// What a rule has to say on the shields that it puts up.
package struct ShieldNote: Sendable, Hashable {
    /// As long as the name of a rule may be.
    package static let ruleBytesMax = 64
    /// All of a person's words with names filled in, and room for what the system adds on a shield.
    package static let saysBytesMax = 700

    /// As the person calls it.
    package var rule: String
    /// The person's own words.
    package var says: String?
    /// By the wall clock; nil when nobody can say.
    package var opensMs: Int64?

    package init(rule: String, says: String? = nil, opensMs: Int64? = nil) {
        self.rule = rule
        self.says = says
        self.opensMs = opensMs
    }

    /// When the last one of several opens; nil where one of them does not say.
    package static func opensMs(_ notes: [ShieldNote?]) -> Int64? {
        let moments = notes.map { $0?.opensMs }
        return moments.contains(nil) ? nil : moments.compactMap(\.self).max()
    }
}
