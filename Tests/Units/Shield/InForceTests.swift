import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Policy in force")
struct InForceTests {
    private let desk: ShieldDesk

    init() throws {
        desk = try ShieldDesk()
        try desk.set(["shield.applications": ShieldDesk.apps("steam")])
    }

    @Test("While a member does not enforce an app, its stores are kept and shield nothing")
    func enforcing() throws {
        try desk.allow(isEnforced: false)
        #expect(try !desk.isShielded("steam"))
        let told = try desk.bench.events.last?.decoded(PolicyStoreChanged.self)
        #expect(told?.isInForce == false && told?.reason == "not_enforced" && told?.version == 1)
        #expect(told?.shields.apps == ["steam"])
        #expect(try desk.set(["siri.denySiri": true]).version == 2)
        #expect(try !desk.isShielded("steam"))
        #expect(try desk.view()?.isInForce == false)

        try desk.allow()
        #expect(try desk.isShielded("steam"))
        // Allowing the app again publishes no event.
        let count = desk.bench.events.count
        try desk.allow()
        #expect(desk.bench.events.count == count)
    }

    @Test("Revoking an app's permission ends its shields, and allowing the app again does not restore them")
    func revoking() throws {
        try desk.allow(status: .denied, isEnforced: false, generation: 1)
        #expect(try !desk.isShielded("steam"))
        #expect(try desk.view()?.problem?.english == "org.example.app has no permission from kim.")
        #expect(try desk.refusal(["siri.denySiri": true])?.code == "settings.unauthorized")
        #expect(try desk.get().settings.count == 1)

        try desk.reopen()
        #expect(try !desk.isShielded("steam"))
        try desk.allow(generation: 1)
        #expect(try !desk.isShielded("steam"))
        #expect(try desk.view()?.problem?.english.contains("has to set them again") == true)

        // New settings replace the earlier ones.
        try desk.set(["shield.applications": ShieldDesk.apps("gimp")])
        #expect(try desk.get().version == 2)
        #expect(try desk.isShielded("gimp"))
        #expect(try !desk.isShielded("steam"))
    }

    @Test("Revoking an app's permission ends its shields even if its store has the maximum size")
    func full() throws {
        let long = JSONValue.array(
            (0..<50).map { ["id": .string(String(repeating: "\"", count: 250) + "\($0)")] }
        )
        let sites = JSONValue.array(
            (0..<50).map { ["id": .string("s\($0).\(String(repeating: "x", count: 60)).com")] }
        )
        func fill(_ bytes: Int) throws -> Bool {
            let except = stride(from: 0, to: bytes, by: 250).map { start in
                JSONValue.object([
                    "id": .string("\(start)/" + String(repeating: "x", count: min(240, bytes - start)))
                ])
            }
            return try desk.refusal([
                "shield.applications": long, "application.blockedApplications": long,
                "shield.webDomains": sites,
                "shield.applicationCategories": ["policy": "all", "except": .array(except)],
            ]) == nil
        }
        // Finds the largest size that is accepted.
        var accepted = 250
        var refused = 12_500
        #expect(try fill(accepted))
        #expect(try !fill(refused))
        while accepted + 1 < refused {
            let middle = (accepted + refused) / 2
            if try fill(middle) { accepted = middle } else { refused = middle }
        }
        #expect(try desk.isShielded("anything"))
        try desk.allow(status: .denied, isEnforced: false, generation: 1)
        #expect(try !desk.isShielded("anything"))
        #expect(try desk.bench.events.last?.decoded(PolicyStoreChanged.self).shields.apps.count == 50)
    }

    @Test("A store above the size limit is published without its apps and can be cleared")
    func tooFull() throws {
        let names = JSONValue.array((0..<300).map { .string("\($0)" + String(repeating: "x", count: 250)) })
        try desk.bench.database.transaction {
            try desk.bench.database.run(
                "UPDATE named_stores SET said = ?",
                [.blob(JSONValue.object(["shield.applications": names]).text)]
            )
        }
        try desk.reopen()
        try desk.allow(status: .denied, isEnforced: false, generation: 1)
        let told = try desk.bench.events.last?.decoded(PolicyStoreChanged.self)
        #expect(told?.isInForce == false && told?.shields.apps == [])
        // Clearing a store is never refused.
        #expect(
            try desk.bench.ask(SettingsClear.self, .init(app: ShieldDesk.app, store: "main")).version == 2
        )
    }

    @Test("Removing an app deletes its stores for every member and keeps the stores of other apps")
    func removing() throws {
        try desk.set(["shield.applications": ShieldDesk.apps("steam")], member: ShieldDesk.child)
        try desk.set(["shield.applications": [["id": "steam"]]], app: ShieldDesk.other)
        try desk.remove()

        #expect(try desk.decide(app: "steam").decision.causes.map(\.app) == [ShieldDesk.other])
        #expect(try !desk.isShielded("steam", member: ShieldDesk.child))
        #expect(desk.bench.state.stores.keys.map(\.app) == [ShieldDesk.other])
        let reasons = try desk.bench.events.suffix(2).map { try $0.decoded(PolicyStoreChanged.self).reason }
        #expect(reasons == ["deleted", "deleted"])
    }

    @Test("Rebuilding the state of auth-service keeps shields in force and publishes no events")
    func rebuilding() throws {
        let count = desk.bench.events.count
        try desk.bench.rebuild([])
        #expect(desk.bench.state.policy.decide(.init(app: "steam"), member: "kim", wallMs: 0).isShielded)
        #expect(desk.bench.events.count == count)
    }

    @Test("An unknown member causes `unavailable` until auth-service's stream is read, then `member.unknown`")
    func unknown() throws {
        func problem() throws -> Problem? {
            try desk.bench.refusal(SettingsGet.self, .init(app: "a", member: ShieldDesk.child, store: "s"))
        }
        let member = try CoreBench<ShieldState>.event(
            MemberAdded.self,
            sequence: 1,
            subject: ShieldDesk.member,
            body: Member(name: ShieldDesk.member, role: .individual)
        )
        try desk.bench.rebuild([member], isWhole: false)
        #expect(try problem()?.code == "unavailable")
        #expect(try problem()?.retryable == true)
        #expect(try desk.get().member == ShieldDesk.member)
        desk.bench.reach()
        #expect(try problem()?.code == "member.unknown")
    }

    @Test("The category of an app or site comes from activity-center, otherwise from the built-in list")
    func facts() throws {
        try desk.set([
            "shield.applicationCategories": ["policy": "specific", "categories": [["id": "games"]]],
            "shield.webDomainCategories": ["policy": "specific", "categories": [["id": "social"]]],
        ])
        #expect(try desk.decide(app: "lutris").category == "games")
        #expect(try desk.isShielded("lutris"))
        #expect(try desk.decide(app: "firefox", domain: "m.facebook.com").decision.isShielded)
        // Ids are compared without case and without the suffix `.desktop`.
        try desk.know("org.example.Pad", "games")
        #expect(try desk.decide(app: "org.example.pad.desktop").category == "games")
        #expect(try desk.isShielded("ORG.example.pad"))
        try desk.know("lutris", "utilities")
        try desk.know("site:facebook.com", "travel")
        try desk.reopen()
        #expect(try !desk.isShielded("lutris"))
        #expect(try desk.isShielded("org.example.pad"))
        #expect(try desk.decide(domain: "m.facebook.com").category == "travel")
        #expect(try !desk.decide(domain: "m.facebook.com").decision.isShielded)
        // A site that activity-center has not classified keeps the category of the built-in list.
        #expect(try desk.decide(domain: "web.telegram.org").decision.isShielded)
        #expect(
            try desk.bench.refusal(ShieldDecide.self, .init(subject: .init()))?.code == "shield.no_subject"
        )
        #expect(
            try desk.bench.refusal(ShieldDecide.self, .init(subject: .init(domain: "a.com:8")))?.code
                == "domain.invalid"
        )
    }

    @Test("The always-allowed list overrides all stores, is published, and survives a restart")
    func allowed() throws {
        let items = [TokenItem(kind: .application, id: "steam"), TokenItem(kind: .domain, id: "b.org")]
        try desk.alwaysAllow(items)
        let decision = try desk.decide(app: "steam")
        #expect(!decision.decision.isShielded && decision.decision.isAlwaysAllowed)
        #expect(decision.decision.causes.count == 1)
        #expect(
            decision.lifts.map(\.english) == [
                "It is on the always-allowed list, so no rule or app shields it."
            ]
        )
        #expect(try desk.bench.events.last?.decoded(PolicyAllowedChanged.self).items == items)
        #expect(desk.bench.events.last?.header.subject == "allowed/kim")
        try desk.reopen()
        #expect(try !desk.isShielded("steam"))
        let reply = try desk.bench.ask(ShieldAllowed.self, .init())
        #expect(reply.items == items)
        // Setting the same list again changes nothing.
        try desk.alwaysAllow(items)
        #expect(try desk.bench.ask(ShieldAllowed.self, .init()) == reply)
        try desk.alwaysAllow([])
        #expect(try desk.isShielded("steam"))
    }

    @Test("Setting, clearing or deleting a rule's store is refused with `settings.of_rules`")
    func ofRules() throws {
        let store = "evenings"
        try desk.set(["shield.applications": [["id": "gimp"]]], app: BuiltInRules.app, store: store)
        let set = SettingsSet.Request(app: BuiltInRules.app, store: store, settings: ["isActive": false])
        let clear = SettingsClear.Request(app: BuiltInRules.app, store: store)
        let delete = SettingsDelete.Request(app: BuiltInRules.app, stores: [])
        let problems = [
            try desk.bench.refusal(SettingsSet.self, set), try desk.bench.refusal(SettingsClear.self, clear),
            try desk.bench.refusal(SettingsDelete.self, delete),
        ]
        #expect(problems.map { $0?.code } == Array(repeating: "settings.of_rules", count: 3))
        #expect(problems.allSatisfy { $0?.help?.hasPrefix("screentime rule pause") == true })
        #expect(try desk.isShielded("gimp"))
    }

    @Test("Rule decisions set, change, clear and remove stores, and a repeated decision publishes no event")
    func decisions() throws {
        let store = "evenings"
        let gimp: [String: JSONValue] = ["shield.applications": [["id": "gimp"]]]
        try desk.follow(ShieldDesk.decision(gimp, of: store))
        let told = try #require(try desk.bench.events.last?.decoded(PolicyStoreChanged.self))
        #expect(told.version == 1 && told.isInForce && told.shields.apps == ["gimp"] && told.cause == "d1")
        let count = desk.bench.events.count
        try desk.follow(ShieldDesk.decision(gimp, of: store))
        try desk.follow(ShieldDesk.decision(nil, of: "never"))
        #expect(desk.bench.events.count == count)
        try desk.follow(ShieldDesk.decision(["shield.webDomains": [["id": "b.org"]]], of: store))
        #expect(try !desk.isShielded("gimp") && desk.decide(domain: "b.org").decision.isShielded)
        try desk.follow(ShieldDesk.decision(nil, of: store))
        #expect(try !desk.decide(domain: "b.org").decision.isShielded)
        #expect(desk.bench.state.stores.values.contains { $0.version == 3 })
        try desk.follow(RuleDecision(member: ShieldDesk.member, rule: store, isRemoved: true))
        #expect(!desk.bench.state.stores.keys.contains { $0.store == store })
    }

    @Test("A rule decision applies without its invalid names, and one with an unknown setting is skipped")
    func unholdable() throws {
        let settings: [String: JSONValue] = [
            "shield.webDomains": [["id": "192.168.0.1"], ["id": "b.org"]],
            "shield.applicationCategories": [
                "policy": "all", "categories": [], "except": [["id": "games"], ["id": "code"]],
            ],
        ]
        try desk.follow(ShieldDesk.decision(settings, of: "odd"))
        #expect(try desk.decide(domain: "b.org").decision.isShielded && desk.isShielded("gimp"))
        #expect(try !desk.isShielded("code"))
        try desk.follow(ShieldDesk.decision(["a later setting": true], of: "odd"))
        try desk.follow(ShieldDesk.decision(["shield.applications": [["id": "vlc"]]], of: "next"))
        #expect(try desk.isShielded("gimp") && desk.isShielded("vlc"))
    }

    @Test("An event about a removed member keeps the stores of rules and the always-allowed list")
    func oldRemoval() throws {
        try desk.follow(ShieldDesk.decision(["shield.applications": [["id": "vlc"]]], of: "evenings"))
        try desk.alwaysAllow([.init(kind: .application, id: "code")])
        try desk.removeMember()
        #expect(desk.bench.state.stores.keys.map(\.store) == ["evenings"])
        #expect(desk.bench.state.allowed[ShieldDesk.member]?.count == 1)
    }

    @Test("A rebuild removes the stores and lists that the snapshot lacks, and keeps the other shields")
    func rebuiltDecisions() throws {
        let gimp: [String: JSONValue] = ["shield.applications": [["id": "gimp"]]]
        for rule in ["kept", "lost"] { try desk.follow(ShieldDesk.decision(gimp, of: rule)) }
        try desk.alwaysAllow([.init(kind: .application, id: "code")])
        desk.bench.forgetEvents()
        let kept = try CoreBench<ShieldState>.event(
            RuleDecided.self,
            sequence: 1,
            subject: "kept",
            body: ShieldDesk.decision(gimp, of: "kept")
        )
        try desk.bench.rebuild([kept], subscription: 2)
        #expect(
            desk.bench.events.map(\.header.subject) == [
                "allowed/kim", "store/kim/\(BuiltInRules.app)/lost",
            ]
        )
        #expect(try desk.isShielded("gimp"))
        #expect(try desk.bench.ask(ShieldAllowed.self, .init()).items.isEmpty)
    }

    @Test(
        "A subscriber gets the service's policy from all events, and its number and shields from a snapshot"
    )
    func subscribers() throws {
        try desk.set(["shield.applicationCategories": ["policy": "all"]], app: ShieldDesk.other)
        try desk.alwaysAllow([.init(kind: .application, id: "gimp")])
        try desk.allow(isEnforced: false)
        var book = Policies()
        for event in desk.bench.events { try book.apply(event) }
        #expect(book == desk.bench.state.policy)
        // A snapshot has only the last event of each subject.
        var last: [String: WireEvent] = [:]
        for event in desk.bench.events { last[event.header.subject] = event }
        book = Policies()
        for event in last.values.sorted(by: { $0.header.sequence < $1.header.sequence }) {
            try book.apply(event)
        }
        #expect(book.decide(.init(app: "x"), member: "kim", wallMs: 0).isShielded)
        #expect(book.number == desk.bench.state.policy.number)
    }
}
