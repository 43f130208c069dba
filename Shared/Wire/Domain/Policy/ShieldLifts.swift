/// What would lift a shield, or why there is none, as sentences.
package enum ShieldLifts {
    private static let sentencesMax = 10

    /// `named` says what people call an app, `rule` what they call the rule of a store.
    package static func sentences(
        _ decision: ShieldDecision,
        rules: String,
        named: (String) -> String,
        rule: (StoreName) -> String = { $0.store }
    ) -> [String] {
        switch decision.exemption {
        case .always:
            return ["It is on the list of what is always allowed, so no store shields it."]
        case .grant(let request):
            return ["\(request) was granted; it is shielded again when that ends or is revoked."]
        case nil: break
        }
        guard decision.isShielded else { return ["No store that is in force says anything about it."] }
        var sentences = decision.causes.map { sentence($0, rules, named, rule) }
        if sentences.count > sentencesMax {
            let more = sentences.count - sentencesMax
            sentences = Array(sentences.prefix(sentencesMax))
            sentences.append("And \(more) more stores would have to let go of it.")
        }
        sentences.append(
            "More time that is granted, or the list of what is always allowed, lifts all of them."
        )
        return sentences
    }

    private static func sentence(
        _ cause: ShieldCause,
        _ rules: String,
        _ named: (String) -> String,
        _ rule: (StoreName) -> String
    ) -> String {
        let store = cause.store
        let subject = store.app == rules ? "The rule \(rule(store))" : "\(named(store.app))"
        let place = store.app == rules ? "" : " in its store \(store.store)"
        let part =
            switch cause.way {
            case .named: "has to take \(cause.what) out of what it shields"
            case .category: "has to take the category \(cause.what) out of what it shields, or except this"
            case .all: "has to end shielding everything, or except this"
            case .blocked: "has to take \(cause.what) out of the apps that it blocks"
            case .filter where cause.what == ShieldCause.everything:
                "has to end its filter, or except this site"
            case .filter: "has to take \(cause.what) out of its filter"
            }
        return "\(subject) \(part)\(place)."
    }
}
