import STContracts
import STDomain
import STPlatform
import STTestKit

/// How long one decision takes, and how long until others hold what an app has set.
struct PolicyBench {
    private static let member = "kim"
    private static let stores = 50
    private static let tokens = 50

    private let isShort: Bool

    init(isShort: Bool) { self.isShort = isShort }

    func run() async throws -> [Figure] {
        let decisions = deciding()
        let options = TestSystemOptions(environment: ["SCREENTIME_LOG_LEVEL": "warning"])
        let services: [ServiceName] = [.auth, .activity, .monitor, .shield]
        return try await TestSystem.run(services: services, options: options) { system in
            decisions + (try await PolicyTelling(system, isShort: isShort).figures())
        }
    }

    // MARK: - Deciding

    /// Every store names fifty apps and sites, and a policy with exceptions; one app is named by all of them.
    private func book() -> PolicyBook {
        var book = PolicyBook()
        for store in 0..<Self.stores {
            let names = Set((1..<Self.tokens).map { "org.example.app-\(store)-\($0)" })
            let sites = Set((0..<Self.tokens).map { "site-\(store)-\($0).example.com" })
            book.set(
                StoreName(app: "org.example.app", member: Self.member, store: "store-\(store)"),
                StoreShields(
                    apps: names.union(["everywhere"]),
                    categories: CategoryPolicy(.specific, categories: ["games"], except: names),
                    domains: sites
                )
            )
        }
        return book
    }

    private func deciding() -> [Figure] {
        let book = book()
        let things: [(name: String, thing: ShieldThing)] = [
            ("decide, nobody names it", ShieldThing(app: "org.gnome.gedit", category: "utilities")),
            ("decide, one store names it", ShieldThing(app: "org.example.app-7-7", category: "utilities")),
            (
                "decide, a site four labels deep",
                ShieldThing(app: "firefox", category: "utilities", domain: "m.site-7-7.example.com")
            ),
            ("decide, 50 stores name it", ShieldThing(app: "everywhere", category: "utilities")),
            ("decide, 50 stores shield its category", ShieldThing(app: "tux", category: "games")),
        ]
        var figures: [Figure] = []
        for (name, thing) in things {
            let us = timeUs { book.decide(thing, member: Self.member, wallMs: 0).causes.count }
            figures.append(Figure(bench: "policy", name: name, value: us, unit: "us", bar: .atMost(5)))
        }
        let one = ShieldThing(app: "org.example.app-7-7", category: "utilities")
        let stores = book.members[Self.member]?.rules.stores ?? [:]
        let walk = timeUs {
            stores.values.count { store in
                store.apps.contains("org.example.app-7-7")
                    || store.categories.categories.contains("utilities")
            }
        }
        figures.append(
            Figure(bench: "policy", name: "going through the stores' sets", value: walk, unit: "us")
        )
        let decide = timeUs { book.decide(one, member: Self.member, wallMs: 0).causes.count }
        figures.append(Figure(bench: "policy", name: "decide against that", value: decide / walk, unit: "x"))
        return figures
    }

    /// The middle of several turns.
    private func timeUs(_ work: () -> Int) -> Double {
        let perTurn = 2_000
        var sum = 0
        var turns: [Int64] = []
        for _ in 0..<(isShort ? 11 : 51) {
            let start = Stopwatch.nanoseconds()
            for _ in 0..<perTurn { sum &+= work() }
            turns.append(Stopwatch.nanoseconds() - start)
        }
        // The sum is used, or there would be nothing to measure.
        precondition(sum >= 0)
        return Double(turns.sorted()[turns.count / 2]) / Double(perTurn) / 1000
    }
}
