import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Shield decisions compared with a linear search")
struct PolicyPropertyTests {
    private static let member = "kim"

    private func book(_ stores: [(name: StoreName, shields: StoreShields)]) -> Policies {
        var book = Policies()
        for store in stores { book.set(store.name, store.shields) }
        return book
    }

    @Test("Decisions for ten thousand random policies equal those of a linear search, with their causes")
    func agrees() {
        var counts: [String: Int] = [:]
        for seed in 0..<10_000 {
            var drawn = RandomStores(seed: seed)
            var slow = SlowPolicy(stores: drawn.stores())
            var book = book(slow.stores)
            if drawn.random.chance(percent: 40) { slow.allowed = drawn.things() }
            if drawn.random.chance(percent: 40) { slow.grants = drawn.grants() }
            book.allow(slow.allowed, member: Self.member)
            for grant in slow.grants { book.set(grant) }
            for _ in 0..<2 {
                let thing = drawn.thing()
                let wallMs = drawn.random.number(0...500) as Int64
                let decision = book.decide(thing, member: Self.member, wallMs: wallMs)
                let expected = slow.decide(thing, at: wallMs)
                if decision != expected { #expect(decision == expected, "seed \(seed), \(thing)") }
                for cause in decision.causes { counts[cause.kind.rawValue, default: 0] += 1 }
                counts[decision.isShielded ? "shielded" : "open", default: 0] += 1
                if decision.exemption != nil { counts["exempt", default: 0] += 1 }
            }
        }
        // Every kind of cause and decision must occur often.
        for what in ["named", "category", "all", "blocked", "filter", "shielded", "open", "exempt"] {
            #expect(counts[what, default: 0] > 1000, "\(what)")
        }
    }

    @Test("Decisions do not depend on the order in which stores are set and removed")
    func order() {
        for seed in 0..<1000 {
            var drawn = RandomStores(seed: seed)
            let stores = drawn.stores()
            let first = book(stores)
            var second = Policies()
            // Other stores are set and removed in between, and each store has other values first.
            for store in stores.shuffled(using: &drawn.random) {
                let other = StoreName(app: "gone.app", member: Self.member, store: "\(drawn.random.next())")
                second.set(other, drawn.shields())
                second.set(store.name, drawn.shields())
                second.set(store.name, store.shields)
                second.set(other, nil)
            }
            for _ in 0..<6 {
                let thing = drawn.thing()
                #expect(
                    first.decide(thing, member: Self.member, wallMs: 0)
                        == second.decide(thing, member: Self.member, wallMs: 0),
                    "seed \(seed), \(thing)"
                )
            }
        }
    }

    @Test("An added store opens nothing and keeps other causes, and its removal restores decisions")
    func adding() {
        for seed in 0..<2000 {
            var drawn = RandomStores(seed: seed)
            let before = book(drawn.stores())
            let name = StoreName(app: "new.app", member: Self.member, store: "new")
            var after = before
            after.set(name, drawn.shields())
            var cleared = after
            cleared.set(name, nil)
            for _ in 0..<6 {
                let thing = drawn.thing()
                let old = before.decide(thing, member: Self.member, wallMs: 0)
                let new = after.decide(thing, member: Self.member, wallMs: 0)
                #expect(new.isShielded || !old.isShielded, "seed \(seed), \(thing)")
                #expect(new.causes.filter { $0.store != name } == old.causes, "seed \(seed), \(thing)")
                #expect(
                    cleared.decide(thing, member: Self.member, wallMs: 0) == old,
                    "seed \(seed), \(thing)"
                )
            }
        }
    }

    @Test("An exception in one category policy lifts no shield of other settings or stores")
    func except() {
        var shielded = 0
        for seed in 0..<2000 {
            var drawn = RandomStores(seed: seed)
            let stores = drawn.stores()
            guard let place = stores.indices.randomElement(using: &drawn.random) else { continue }
            var excepting = stores
            excepting[place].shields.categories.except = Set(RandomStores.apps)
            let before = book(stores)
            let after = book(excepting)
            for _ in 0..<6 {
                let thing = drawn.thing()
                let old = before.decide(thing, member: Self.member, wallMs: 0).causes
                let new = after.decide(thing, member: Self.member, wallMs: 0).causes
                guard thing.app != nil else { continue }
                let kept = old.filter { cause in
                    cause.store != stores[place].name || cause.kind == .named || cause.kind == .blocked
                        || cause.kind == .filter
                        || isOfSite(cause, thing: thing, shields: stores[place].shields)
                }
                if !kept.isEmpty { shielded += 1 }
                #expect(Set(kept).isSubset(of: Set(new)), "seed \(seed), \(thing)")
                #expect(Set(new).isSubset(of: Set(old)), "seed \(seed), \(thing)")
            }
        }
        #expect(shielded > 100)
    }

    private func isOfSite(_ cause: ShieldCause, thing: ClassifiedSubject, shields: StoreShields) -> Bool {
        var site = thing
        site.app = nil
        site.category = nil
        var rules = ShieldRules()
        rules.set(cause.store, shields)
        return rules.causes(of: site).causes.contains(cause)
    }

    @Test("Combined category policies do not depend on order, and shield all that each one shields")
    func effective() {
        var shielded = 0
        for seed in 0..<1000 {
            var drawn = RandomStores(seed: seed)
            let stores = drawn.stores()
            guard stores.count > 1 else { continue }
            let values = stores.map { store in
                SettingValue.policy(store.shields.categories)
            }
            let one = values.dropFirst().reduce(values[0], EffectiveValue.stricter)
            let shuffled = values.shuffled(using: &drawn.random)
            let other = shuffled.dropFirst().reduce(shuffled[0], EffectiveValue.stricter)
            #expect(one == other, "seed \(seed)")
            guard case .policy(let policy) = one else { continue }
            // The combined policy, as one store of an unused app, must shield everything that any of the stores shields.
            let name = StoreName(app: "unknown", member: Self.member, store: "all")
            let bound = book([(name, StoreShields(categories: policy))])
            let each = book(stores.map { ($0.name, StoreShields(categories: $0.shields.categories)) })
            for _ in 0..<6 {
                let thing = drawn.thing()
                let isShielded = each.decide(thing, member: Self.member, wallMs: 0).isShielded
                if isShielded { shielded += 1 }
                #expect(!isShielded || bound.decide(thing, member: Self.member, wallMs: 0).isShielded)
            }
        }
        #expect(shielded > 100)
    }
}
