import STDomain
import STPlatform
import STTestSupport

/// Random stores of few apps, categories and sites, which often overlap.
struct RandomStores {
    static let apps = ["app.a", "app.b", "app.c", "games", "one.app", "two.app"]
    static let categories = ["games", "social", "other", "travel"]
    static let domains = [
        "a.com", "m.a.com", "x.m.a.com", "b.org", "news.b.org", "ab.org", "com", "c.net",
    ]

    var random: SeededRandom

    init(seed: Int) { random = SeededRandom(seed: UInt64(seed)) }

    mutating func stores() -> [(name: StoreName, shields: StoreShields)] {
        var stores: [StoreName: StoreShields] = [:]
        for _ in 0..<random.number(0...8) {
            let app = random.pick(["one.app", "two.app", "three.app"]) ?? ""
            let name = StoreName(app: app, member: "kim", store: random.pick(["a", "b", "c", "d"]) ?? "")
            stores[name] = shields()
        }
        return stores.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func shields() -> StoreShields {
        StoreShields(
            apps: some(Self.apps),
            categories: policy(Self.apps),
            domains: some(Self.domains),
            domainCategories: policy(Self.domains),
            blockedApps: some(Self.apps),
            filter: WebFilter(
                random.pick([.none, .specific, .auto, .all]) ?? .none,
                domains: some(Self.domains),
                except: some(Self.domains)
            )
        )
    }

    mutating func thing() -> ClassifiedSubject {
        ClassifiedSubject(
            app: random.chance(percent: 80) ? random.pick(Self.apps) : nil,
            category: random.chance(percent: 80) ? random.pick(Self.categories) : nil,
            domain: random.chance(percent: 70) ? random.pick(Self.domains) : nil,
            domainCategory: random.chance(percent: 40) ? random.pick(Self.categories) : nil
        )
    }

    mutating func things() -> SubjectSet {
        SubjectSet(apps: some(Self.apps), categories: some(Self.categories), domains: some(Self.domains))
    }

    mutating func grants() -> [TimeGrant] {
        (0..<random.number(0...3)).map { number in
            TimeGrant(
                request: "R\(number)",
                member: "kim",
                things: random.chance(percent: 10) ? SubjectSet() : things(),
                untilMs: random.chance(percent: 20) ? nil : random.number(0...4) * 100
            )
        }
    }

    private mutating func policy(_ except: [String]) -> CategoryPolicy {
        CategoryPolicy(
            random.pick([.none, .none, .specific, .all]) ?? .none,
            categories: some(Self.categories),
            except: some(except)
        )
    }

    private mutating func some(_ names: [String]) -> Set<String> {
        Set(names.filter { _ in random.chance(percent: 15) })
    }
}
