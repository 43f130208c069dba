import STContracts
import STDomain

/// The policy as the desktop of a simulation knows it, from its stream alone.
struct SimulatedPolicy {
    private var stores: [StoreName: PolicyStore] = [:]

    /// Nothing is shielded for anybody, so nobody has to be asked about anything.
    var isEmpty: Bool { stores.values.allSatisfy { !Self.shieldsAnything($0) } }

    /// Takes the word of a store, and gives what it said before.
    mutating func take(_ word: PolicyStore) -> PolicyStore? {
        let name = StoreName(app: word.app, member: word.member, store: word.store)
        let before = stores[name]
        stores[name] = word
        return before
    }

    /// The stores that shield a category as such, in their order.
    func shielding(category: String, of member: String) -> [PolicyStore] {
        stores.values.filter { word in
            guard word.member == member, word.isInForce else { return false }
            return Self.reaches(word.shields.categories, category)
                || Self.reaches(word.shields.domainCategories, category)
        }.sorted { ($0.app, $0.store) < ($1.app, $1.store) }
    }

    private static func reaches(_ policy: CategoryPolicyBody, _ category: String) -> Bool {
        switch policy.reach {
        case .none: false
        case .specific: policy.categories.contains(category)
        // Whoever does not understand a policy does not take it for a looser one.
        case .all, .unknown: true
        }
    }

    private static func shieldsAnything(_ word: PolicyStore) -> Bool {
        word.isInForce && word.shields.shields?.isEmpty != true
    }
}
