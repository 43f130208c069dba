import STActivityCore
import STBus
import STContracts
import STCrypto
import STHouseholdCore
import STPlatform
import STRules
import STTestKit
import STTestSupport
import Testing

@Suite("Rules of a household", .postgres)
struct HouseRulesTests {
    private static func limit(_ minutes: Int64, _ apps: [String] = ["game"]) -> RuleSpec {
        RuleSpec(
            kind: .limit,
            name: "games",
            targets: apps.map { TokenItem(kind: .application, id: $0) },
            durationMs: minutes * 60_000,
            then: .shield
        )
    }

    private static func rule(_ version: Int64, _ spec: RuleSpec?, by: String? = nil, id: String = "one")
        -> HouseholdRule
    {
        HouseholdRule(id: id, member: "anna", version: version, spec: spec, by: by)
    }

    private static func delay(_ version: Int64, _ ms: Int64) -> HouseholdRule {
        HouseholdRule(id: HouseholdRule.delay, member: "anna", version: version, delayMs: ms)
    }

    @discardableResult
    private func tell(
        _ home: HouseholdBench,
        machine: Int,
        changes: [HouseholdRule] = [],
        known: [Int64] = [],
        children: [String] = []
    ) throws -> HouseholdRules.Reply {
        home.bench.remote = .device(home.devices[machine])
        defer { home.bench.remote = nil }
        let known = known.map { HouseholdRuleKnown(member: "anna", id: "one", version: $0) }
        return try home.bench.ask(
            HouseholdRules.self,
            .init(members: ["anna", "stranger"], changes: changes, known: known, children: children)
        )
    }

    @Test(
        "A change of a rule is stored once, announced to other machines, and kept after a restart",
        arguments: HouseholdGround.allCases
    )
    func reaches(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        let before = try home.pull(1).rules
        let told = try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(30))]).rules
        #expect(told.map(\.version) == [1] && told[0].device == "laptop")
        // A repetition after a lost reply.
        #expect(
            try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(30))]).rules.map(\.version) == [1]
        )
        #expect(try home.pull(1).rules != before)
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        let heard = try tell(home, machine: 1).rules
        #expect(heard == told)
        #expect(try tell(home, machine: 1, known: [1]).rules.isEmpty)
        #expect(try tell(home, machine: 1, changes: [Self.rule(1, nil)]).rules.map(\.spec) == [nil])
        #expect(try tell(home, machine: 0, known: [1]).rules.map(\.version) == [2])
    }

    @Test(
        "If two machines change a rule separately, the stricter version applies, or both if neither is stricter"
    )
    func conflicts() throws {
        let both = Self.limit(20, ["game", "chess"])
        for (first, second, stands) in [
            (Self.limit(20), Self.limit(40), Self.limit(20)),
            (Self.limit(40), Self.limit(20), Self.limit(20)),
            (Self.limit(20), Self.limit(40, ["game", "chess"]), both),
            (nil, Self.limit(60), Self.limit(60)),
            (Self.limit(60), nil, Self.limit(60)),
        ] as [(RuleSpec?, RuleSpec?, RuleSpec)] {
            let home = try HouseholdBench()
            try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(30))])
            try tell(home, machine: 0, changes: [Self.rule(1, first)])
            let answer = try tell(home, machine: 1, changes: [Self.rule(1, second)]).rules[0]
            #expect(
                answer.spec?.durationMs == stands.durationMs
                    && Set(answer.spec?.targets ?? []) == Set(stands.targets),
                "\(String(describing: first)) \(String(describing: second)): \(answer)"
            )
        }
        // If neither version is stricter, both apply once, also after a lost reply.
        func window(_ from: String, _ to: String) -> RuleSpec {
            RuleSpec(
                kind: .window,
                targets: [TokenItem(kind: .application, id: "game")],
                window: RuleWindow(from: from, to: to),
                then: .shield
            )
        }
        let apart = try HouseholdBench()
        try tell(apart, machine: 0, changes: [Self.rule(0, window("19:00", "23:00"))])
        for _ in 0..<2 {
            #expect(
                try tell(apart, machine: 1, changes: [Self.rule(0, window("17:00", "18:00"))]).rules[0]
                    .version == 1
            )
        }
        let windows = try tell(apart, machine: 1).rules.compactMap(\.spec?.window?.from).sorted()
        #expect(windows == ["17:00", "19:00"])
        let home = try HouseholdBench()
        try tell(home, machine: 0, changes: [Self.delay(0, 5_000)])
        #expect(try tell(home, machine: 1, changes: [Self.delay(0, 2_000)]).rules[0].delayMs == 5_000)
        #expect(try tell(home, machine: 1, changes: [Self.delay(1, 2_000)]).rules[0].delayMs == 2_000)
    }

    @Test("A machine can change its rule again after the reply to its last change was lost")
    func ownChange() throws {
        let home = try HouseholdBench()
        try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(60))])
        try tell(home, machine: 0, changes: [Self.rule(1, Self.limit(120))])
        let stands = try tell(home, machine: 0, changes: [Self.rule(1, Self.limit(180))]).rules[0]
        #expect(stands.version == 3 && stands.spec?.durationMs == 10_800_000)
        // The other machine had not received the change.
        #expect(try tell(home, machine: 1, changes: [Self.rule(1, Self.limit(240))]).rules[0].version == 3)
    }

    @Test("A machine receives only rules of the people whose rules it exchanges")
    func others() throws {
        let home = try HouseholdBench()
        let number = try home.knock(
            try home.invite(),
            name: "pc",
            accounts: [("kid", "anna"), ("mum", "mum")],
            guardians: ["mum"]
        )
        let both = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        home.bench.remote = .device(both)
        defer { home.bench.remote = nil }
        func exchange(_ members: [String], _ changes: [HouseholdRule]) throws -> HouseholdRules.Reply {
            let known = [HouseholdRuleKnown(member: "anna", id: "one", version: 1)]
            return try home.bench.ask(
                HouseholdRules.self,
                .init(members: members, changes: changes, known: known, children: [])
            )
        }
        var mums = Self.rule(0, Self.limit(30))
        mums.member = "mum"
        _ = try exchange(["anna", "mum"], [Self.rule(0, Self.limit(30)), mums])
        // The exchange ends although the machine does not receive one of the rules.
        #expect(try exchange(["anna"], []) == .init(rules: [], refused: []))
        #expect(try exchange(["anna"], [mums]).refused.map(\.problem.code) == ["household.not_shared"])
    }

    /// In personal mode, a program of the child's account could read the machine's key, so a guardian has to trust the machine.
    private func trusts(_ home: inout HouseholdBench, _ ground: HouseholdGround) throws {
        // A third machine joins in personal mode, with the child's mother as guardian. A person approves it.
        let number = try home.knock(
            try home.invite(),
            name: "desk",
            accounts: [("kid", "anna")],
            guardians: ["mum"],
            isProtected: false
        )
        let confirmed = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device
        #expect(confirmed.isTrusted == false)
        let desk = confirmed.device
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        for (by, children, isTrusted, version) in [
            (nil, ["anna"], false, 2), ("mum", ["anna"], false, 2), (nil, ["anna"], true, 2),
            ("mum", [], true, 2),
            ("mum", ["anna"], true, 3),
        ] as [(String?, [String], Bool, Int64)] {
            home.bench.remote = nil
            let trusted = try home.bench.ask(
                HouseholdTrust.self,
                .init(device: "desk", isTrusted: isTrusted)
            )
            #expect(trusted.device.isTrusted == isTrusted)
            home.bench.remote = .device(desk)
            let asked = HouseholdRules.Request(
                members: ["anna"],
                changes: [Self.rule(2, Self.limit(60), by: by)],
                known: [],
                children: children
            )
            let stands = try home.bench.ask(HouseholdRules.self, asked).rules[0]
            #expect(stands.version == version, "\(by ?? "-") \(children) \(isTrusted)")
            #expect(stands.by == (version == 3 ? "mum" : nil))
        }
        home.bench.remote = nil
        #expect(
            try home.bench.refusal(HouseholdTrust.self, .init(device: "dask", isTrusted: true))?.code
                == "household.unknown_device"
        )
    }

    @Test("A machine is trusted as a protected computer only if it claimed to be one before its approval")
    func claims() throws {
        for claim in [true, false] {
            let home = try HouseholdBench()
            try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(30))], children: ["anna"])
            let (invitation, key) = (try home.invite(), try KeyPair.make().publicKey)
            func knock(_ invitation: String, _ isProtected: Bool) throws -> String {
                try home.knock(
                    invitation,
                    name: "fake",
                    accounts: [("kid", "anna")],
                    guardians: ["mum"],
                    key: key,
                    isProtected: isProtected
                )
            }
            let number = try knock(invitation, claim)
            func guests() throws -> [Bool?] {
                try home.bench.ask(HouseholdShow.self, Empty()).guests.map(\.isProtected)
            }
            #expect(try guests() == [claim ? true : nil])
            // The machine cannot change its claim after the guardian has seen it.
            #expect(try knock(invitation, !claim) == number && guests() == [claim ? true : nil])
            let device = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device
            #expect(device.isTrusted == claim)
            _ = try knock(try home.invite(), true)
            home.bench.remote = .device(device.device)
            defer { home.bench.remote = nil }
            let asked = HouseholdRules.Request(
                members: ["anna"],
                changes: [Self.rule(1, Self.limit(60), by: "mum")],
                known: [],
                children: ["anna"]
            )
            #expect(try home.bench.ask(HouseholdRules.self, asked).rules[0].version == (claim ? 2 : 1))
        }
    }

    @Test(
        "A child's rule becomes looser only through a guardian on a trusted machine of this guardian",
        arguments: HouseholdGround.allCases
    )
    func guarded(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(30))], children: ["anna"])
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        for (machine, by) in [(1, nil), (1, "mum"), (0, "anna"), (1, "anna")] as [(Int, String?)] {
            for spec in [Self.limit(60), nil] {
                let children = machine == 0 ? ["anna"] : []
                let answer = try tell(
                    home,
                    machine: machine,
                    changes: [Self.rule(1, spec, by: by)],
                    children: children
                ).rules[
                    0
                ]
                #expect(
                    answer.version == 1 && answer.spec?.durationMs == 1_800_000,
                    "\(machine) \(by ?? "-")"
                )
            }
        }
        let allow = RuleSpec(kind: .allow, targets: [TokenItem(kind: .application, id: "game")])
        let answer = try tell(home, machine: 1, changes: [Self.rule(0, allow, id: "two")]).rules[0]
        #expect(answer.version == 0 && answer.spec == nil)
        // A stricter version is accepted from any machine.
        #expect(try tell(home, machine: 1, changes: [Self.rule(1, Self.limit(20))]).rules[0].version == 2)
        // A rule that every machine reads as looser is rejected in any notation.
        var weekend = Self.limit(20)
        weekend.weekendMs = 600_000
        #expect(
            try tell(home, machine: 1, changes: [Self.rule(0, weekend, id: "three")]).rules[0].version == 1
        )
        weekend.weekendMs = 0
        #expect(
            try tell(home, machine: 1, changes: [Self.rule(1, weekend, id: "three")]).rules[0].version == 1
        )
        // Later claims of a machine do not give it a guardian.
        let claims = try tell(
            home,
            machine: 1,
            changes: [Self.rule(2, Self.limit(60), by: "mum")],
            children: ["anna"]
        )
        #expect(claims.rules[0].version == 2)
        try trusts(&home, ground)
        // Removing a machine does not end the protection of its child.
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "desk"))
        try tell(home, machine: 0, children: [])
        #expect(try tell(home, machine: 1, changes: [Self.rule(3, nil)], children: []).rules[0].version == 3)
    }

    @Test("An invalid rule or a rule of another person is rejected, and the valid ones are stored")
    func refused() throws {
        let home = try HouseholdBench()
        var far = Self.limit(30)
        far.days = [.max]
        var long = Self.limit(30)
        long.say = String(repeating: "long", count: 10_000)
        var stranger = Self.rule(0, Self.limit(30))
        stranger.member = "stranger"
        for (change, code) in [
            (stranger, "household.not_shared"), (Self.rule(0, far), "rule.bad_days"),
            (Self.rule(0, long), "household.bad_rule"), (Self.delay(0, .max), "household.bad_rule"),
            (Self.rule(0, RuleSpec(kind: .limit)), "rule.bad_duration"),
            (Self.rule(0, Self.limit(30), id: ""), "household.bad_rule"),
            (Self.rule(0, Self.limit(30), id: HouseholdRule.delay), "household.bad_rule"),
        ] {
            // The other rules of the request are stored and returned.
            let reply = try tell(
                home,
                machine: 0,
                changes: [change, Self.rule(0, Self.limit(30), id: "good")]
            )
            #expect(reply.refused.map(\.problem.code) == [code])
            #expect(reply.rules.map(\.id) == ["good"])
        }
        let many = Array(repeating: Self.rule(0, Self.limit(30)), count: HouseholdRules.changesMax + 1)
        #expect(refusal { try tell(home, machine: 0, changes: many) } == "household.too_many_rules")
        #expect(home.bench.state.rules.values.flatMap(\.keys) == ["good"])
    }

    @Test("Two services with the same database agree on a rule that they receive from different machines")
    func sideBySide() throws {
        let address = try HouseholdGround.shared.address()
        let home = try HouseholdBench(address: address)
        let other = try HouseholdBench(beside: home, address: address)
        try tell(home, machine: 0, changes: [Self.rule(0, Self.limit(40))], children: ["anna"])
        // The memory of this service is older than the database.
        #expect(
            try tell(other, machine: 1, changes: [Self.rule(0, Self.limit(20))]).rules.map(\.version) == [2]
        )
        // The service also reads from the database that the first machine has a child.
        #expect(try tell(other, machine: 1, changes: [Self.rule(2, nil)]).rules.map(\.version) == [2])
        try home.refresh()
        #expect(home.bench.state.rules["anna"]?["one"]?.spec?.durationMs == 1_200_000)
    }
}

/// A machine with the rules in its activity-center.
private struct RuleMachine {
    var bench: CoreBench<ActivityState>
    let here: String
    let device: String
    let isChild: Bool
    let notices = Notices()

    final class Notices { var list: [NotifyPost.Request] = [] }

    init(_ here: String, _ device: String, isChild: Bool, seed: Int64) throws {
        self.here = here
        self.device = device
        self.isChild = isChild
        let time = SimulatedTimeSource(wallMs: 1_790_000_000_000 + seed)
        bench = try CoreBench(ActivityService.definition(), time: time)
        answer()
    }

    private func answer() {
        let member = Member(name: here, role: isChild ? .child : .individual)
        bench.otherService = { _, _ in
            try MemberList.Reply(
                device: Device(id: "d", name: "desk"),
                members: [Member(name: "owner", role: .individual), member]
            ).encodedBody()
        }
    }

    mutating func restart() throws {
        bench = try bench.reopened()
        answer()
    }

    func rules() throws -> [RuleSpec] {
        try bench.ask(RuleList.self, .init(member: here)).rules.map(\.rule)
    }

    func delayMs() throws -> Int64 { try bench.ask(RuleDelay.self, .init(member: here)).delayMs }

    /// Random changes by a person, including impossible ones.
    func change(_ random: inout SeededRandom) throws {
        let minutes: Int64 = random.number(1...6) * 10
        let apps = ["game", "chess", "film"].filter { _ in random.number(0...1) == 1 }
        let targets = apps.map { TokenItem(kind: .application, id: $0) }
        let name = try rules().randomElement(using: &random)?.name ?? "none"
        let edits: [() throws -> Void] = [
            {
                var spec = RuleSpec(
                    kind: .limit,
                    member: here,
                    targets: targets,
                    durationMs: minutes * 60_000
                )
                spec.say = "a\(minutes)"
                _ = try bench.ask(RuleAdd.self, .init(spec))
            },
            {
                let spec = RuleSpec(
                    kind: .downtime,
                    member: here,
                    window: RuleWindow(from: "21:00", to: "0\(minutes / 10):00")
                )
                _ = try bench.ask(RuleAdd.self, .init(spec))
            },
            {
                _ = try bench.ask(RuleAdd.self, .init(RuleSpec(kind: .allow, member: here, targets: targets)))
            },
            { _ = try bench.ask(RuleEdit.self, .init(name: name, durationMs: minutes * 60_000)) },
            { _ = try bench.ask(RuleEdit.self, .init(name: name, targets: targets)) },
            { _ = try bench.ask(RuleEdit.self, .init(name: name, newName: "n\(minutes)")) },
            { _ = try bench.ask(RuleRemove.self, .init(name: name)) },
            { _ = try bench.ask(RulePause.self, .init(name: name, forMs: minutes * 60_000)) },
        ]
        do { try edits[random.number(0...7)]() } catch is Problem {}
    }

    /// One exchange like that of link-service. `fault` is the step after which it is interrupted. Returns whether both sides had
    /// the same state.
    func exchange(_ home: HouseholdBench, fault: Int64? = nil) throws -> Bool {
        var asked = RuleFollow.Request(household: "h", members: [here])
        for round in 0..<10 {
            let own = try bench.ask(RuleFollow.self, asked)
            notices.list += own.notices
            if fault == Int64(2 * round) { return false }
            func renamed(_ rule: HouseholdRule, _ name: String) -> HouseholdRule {
                var rule = rule
                rule.member = name
                return rule
            }
            let request = HouseholdRules.Request(
                members: ["anna"],
                changes: own.changes.map { renamed($0, "anna") },
                known: own.known.map { .init(member: "anna", id: $0.id, version: $0.version) },
                children: isChild ? ["anna"] : []
            )
            home.bench.remote = .device(device)
            defer { home.bench.remote = nil }
            let reply = try home.bench.ask(HouseholdRules.self, request)
            if fault == Int64(2 * round + 1) { return false }
            if reply.rules.isEmpty, reply.refused.isEmpty { return true }
            asked.told = own.changes
            asked.refused = reply.refused.map { .init(member: here, id: $0.id, problem: $0.problem) }
            asked.heard = reply.rules.map { renamed($0, here) }
        }
        return false
    }
}

@Suite("Rules of many machines, simulated")
struct RulesTogetherTests {
    @Test(
        "All machines and the household agree in the end, and a child's rules never become looser without a guardian",
        arguments: UInt64(1)...24
    )
    func agree(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var home = try HouseholdBench()
        let isChild = seed.isMultiple(of: 2)
        let number = try home.knock(try home.invite(), name: "tablet", accounts: [("anna", "anna")])
        let third = try home.bench.ask(HouseholdConfirm.self, .init(number: number)).device.device
        var machines = [
            try RuleMachine("kid", home.devices[0], isChild: isChild, seed: 1),
            try RuleMachine("kim", home.devices[1], isChild: false, seed: 2),
            try RuleMachine("anna", third, isChild: false, seed: 3),
        ]
        if isChild { _ = try machines[0].exchange(home) }
        var stood: [String: HouseholdRule] = [:]
        func check() {
            let now = home.bench.state.rules["anna"] ?? [:]
            for (id, rule) in now where isChild {
                switch (stood[id]?.spec, rule.spec) {
                case (let old?, let new?):
                    #expect(!RuleLoosening.isLooser(from: old, to: new), "seed \(seed): \(old) \(new)")
                case (let old?, nil): #expect(!RuleLoosening.isRemovalLooser(old), "seed \(seed): \(old)")
                case (nil, let new?): #expect(!RuleLoosening.isAdditionLooser(new), "seed \(seed): \(new)")
                case (nil, nil): break
                }
            }
            stood = now
        }
        for _ in 0..<120 {
            let place = random.number(0...2)
            switch random.number(0...9) {
            case 0...4: try machines[place].change(&random)
            case 5: try machines[place].restart()
            case 6: home.bench = try home.bench.reopened()
            case 7: _ = try machines[place].exchange(home, fault: random.number(0...5))
            default: _ = try machines[place].exchange(home)
            }
            check()
        }
        for _ in 0..<3 {
            for machine in machines { #expect(try machine.exchange(home), "seed \(seed): it comes to rest") }
        }
        check()
        func texts(_ specs: [RuleSpec]) throws -> [String] {
            try specs.map { String(decoding: try $0.unnamed.encodedBody(), as: UTF8.self) }.sorted()
        }
        let held = (home.bench.state.rules["anna"] ?? [:]).values.compactMap(\.spec)
        #expect(!held.isEmpty || isChild == false)
        for machine in machines {
            let apart = Set(try texts(machine.rules())).symmetricDifference(try texts(held))
            #expect(try texts(machine.rules()) == texts(held), "seed \(seed): \(machine.here) \(apart)")
        }
    }

    @Test("The delay of loosening changes is exchanged, and a person is notified of a replaced rule")
    func delay() throws {
        let home = try HouseholdBench()
        let laptop = try RuleMachine("kid", home.devices[0], isChild: false, seed: 1)
        let desktop = try RuleMachine("kim", home.devices[1], isChild: false, seed: 2)
        func spec(_ minutes: Int64, _ member: String) -> RuleSpec {
            RuleSpec(
                kind: .limit,
                name: "games",
                member: member,
                targets: [TokenItem(kind: .application, id: "game")],
                durationMs: minutes * 60_000
            )
        }
        _ = try laptop.bench.ask(RuleAdd.self, .init(spec(30, "kid")))
        _ = try desktop.bench.ask(RuleAdd.self, .init(spec(20, "kim")))
        _ = try laptop.bench.ask(RuleDelay.self, .init(member: "kid", delayMs: 3_600_000))
        for machine in [desktop, laptop, desktop] { #expect(try machine.exchange(home)) }
        #expect(try desktop.delayMs() == 3_600_000)
        #expect(try laptop.rules().map(\.durationMs) == [1_200_000])
        #expect(try desktop.rules().map(\.durationMs) == [1_200_000])
        let line = try #require(try laptop.bench.history.last)
        #expect(line.what == .rule && line.weight == .tightened && line.why?.english == "changed on desktop")
        let body = try #require(laptop.notices.list.first).body
        #expect(body.contains("desktop") && body.contains("20 min") && body.contains("30 min"), "\(body)")
        #expect(laptop.notices.list.count == 1 && desktop.notices.list.isEmpty)
        // A looser change waits on its own machine and is exchanged when it takes effect.
        _ = try laptop.bench.ask(RuleEdit.self, .init(name: "games", durationMs: 2_400_000))
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        #expect(try desktop.rules().map(\.durationMs) == [1_200_000])
        try laptop.bench.passTime(ms: 3_700_000)
        #expect(try laptop.exchange(home) && desktop.exchange(home))
        #expect(try desktop.rules().map(\.durationMs) == [2_400_000])
        #expect(try desktop.bench.history.last?.weight == .loosened)
    }
}

extension CoreBench where State == ActivityState {
    fileprivate func passTime(ms: Int64) throws {
        time.advance(byMs: ms)
        _ = try step { try ActivityRules.tick(&$0, context: $1, change: $2).due }
    }
}
