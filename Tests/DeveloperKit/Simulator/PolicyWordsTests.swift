import STContracts
import Testing

@testable import STSimulation

@Suite("Text of a store change")
struct PolicyWordsTests {
    private static let none = CategoryPolicyBody(reach: .none, categories: [], except: [])

    private func word(
        apps: [String] = [],
        categories: CategoryPolicyBody = none,
        sites: CategoryPolicyBody = none,
        filter: FilterReach = .none,
        settings: [String: JSONValue] = [:],
        reason: String? = nil
    ) -> PolicyStore {
        PolicyStore(
            policy: 1,
            app: "worklog",
            member: "me",
            store: "gaming",
            version: 1,
            isInForce: reason == nil,
            reason: reason,
            shields: StoreShieldsBody(
                apps: apps,
                categories: categories,
                domains: [],
                domainCategories: sites,
                blockedApps: [],
                filter: WebFilterBody(
                    reach: filter,
                    domains: filter == .none ? [] : ["a.example"],
                    except: []
                )
            ),
            settings: settings,
            wallMs: 0
        )
    }

    @Test("The text of a store change lists only what changed")
    func change() {
        let games = CategoryPolicyBody(reach: .specific, categories: ["games"], except: ["chess"])
        let all = CategoryPolicyBody(reach: .all, categories: [], except: [])
        let one = word(apps: ["steam"], categories: games)
        let other = word(apps: ["steam"], categories: all, sites: games, filter: .specific)

        #expect(PolicyText.change(one, before: nil) == "shield up: steam, category:games but chess")
        #expect(PolicyText.change(one, before: one) == nil)
        // The note of a rule on its shield does not change which apps are shielded.
        let noted = word(apps: ["steam"], categories: games, settings: ["shield.note": ["rule": "x"]])
        #expect(PolicyText.change(noted, before: one) == nil)
        #expect(
            PolicyText.change(other, before: one)
                == "shield up: all apps, sites of category:games but chess, site:a.example, filtered; "
                + "shield down: category:games but chess"
        )
        #expect(
            PolicyText.change(word(apps: ["steam"], reason: "revoked"), before: word(apps: ["steam"]))
                == "shield down: steam; not in force: revoked"
        )
        #expect(
            PolicyText.change(word(settings: ["account.lockAccounts": true]), before: nil)
                == "set: account.lockAccounts"
        )
    }

    @Test("Categories that this version cannot read count as shielded")
    func unknown() {
        var policy = SimulatedPolicy()
        let strange = CategoryPolicyBody(reach: .unknown, categories: [], except: [])

        #expect(policy.isEmpty)
        #expect(policy.update(word(categories: strange)) == nil)
        #expect(!policy.isEmpty)
        #expect(policy.shielding(category: "games", of: "me").map(\.store) == ["gaming"])
        #expect(policy.shielding(category: "games", of: "kid").isEmpty)
        #expect(policy.update(word()) == word(categories: strange))
        #expect(policy.isEmpty)
    }
}
