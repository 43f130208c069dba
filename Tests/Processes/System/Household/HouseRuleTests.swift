import STCommandCore
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension HouseholdSuite {
    @Suite("Household rules on all machines")
    struct HouseRuleTests {
        private static let services = HouseholdDesk.services + [.monitor, .shield]

        private static func limit(_ member: String, _ minutes: Int64) -> RuleSpec {
            RuleSpec(
                kind: .limit,
                name: "games",
                member: member,
                targets: [TokenItem(kind: .application, id: HouseholdDesk.game)],
                durationMs: minutes * 60_000,
                then: .notify
            )
        }

        private static func minutes(_ machine: TestSystem) async throws -> [Int64] {
            let rules = try await machine.client.call(RuleList.self, .init()).rules
            return rules.compactMap { $0.rule.durationMs }.map { $0 / 60_000 }.sorted()
        }

        private static func category(_ machine: TestSystem) async throws -> String {
            let asked = CategoryFacts.Request(subjects: [HouseholdDesk.game])
            return try await machine.client.call(CategoryFacts.self, asked).facts[0].category
        }

        private static func agree(
            _ machines: [TestSystem],
            on wanted: [Int64],
            _ comment: String,
            within: Duration = .seconds(20)
        ) async throws {
            try await eventually(within: within, comment) {
                for machine in machines {
                    let found = try await minutes(machine)
                    guard found == wanted else { throw NotYet("\(found)") }
                }
            }
        }

        /// Runs with a household in which laptop and desktop belong to the same person.
        private static func withTwo(
            _ body: (_ hub: TestSystem, _ desk: HouseholdDesk, _ laptop: TestSystem, _ desktop: TestSystem)
                async throws -> Void
        ) async throws {
            try await TestSystem.run(services: services + [.household]) { hub in
                let desk = try await HouseholdDesk.start(hub)
                try await TestSystem.run(services: services) { laptop in
                    try await TestSystem.run(services: services) { desktop in
                        try await body(hub, desk, laptop, desktop)
                    }
                }
            }
        }

        @Test(
            "A rule reaches the other machine, and of two offline changes the stricter one wins"
        )
        func together() async throws {
            try await Self.withTwo { hub, desk, laptop, desktop in
                let (here, there) = (
                    try await HouseholdDesk.owner(laptop), try await HouseholdDesk.owner(desktop)
                )
                _ = try await laptop.client.call(RuleAdd.self, .init(Self.limit(here, 30)))
                try await desk.join(laptop)
                try await desk.join(desktop)
                try await Self.agree([desktop], on: [30], "what there was before comes, too")
                let began = Stopwatch.bootMilliseconds()
                _ = try await desktop.client.call(RuleEdit.self, .init(name: "games", durationMs: 2_400_000))
                try await Self.agree([laptop], on: [40], "a change comes back")
                print(
                    "a changed rule was on the other machine after \(Stopwatch.bootMilliseconds() - began) ms"
                )
                _ = try hub.stop(.household)
                _ = try await laptop.client.call(RuleEdit.self, .init(name: "games", durationMs: 1_200_000))
                _ = try await desktop.client.call(RuleEdit.self, .init(name: "games", durationMs: 3_600_000))
                try hub.start(.household)
                try await Self.agree(
                    [laptop, desktop],
                    on: [20],
                    "the stricter change stands",
                    within: .seconds(60)
                )
                let lines = try await desktop.client.call(HistoryList.self, .init()).lines
                let name = try await hub.client.call(HouseholdShow.self, Empty()).devices[0].name
                #expect(
                    lines.contains { $0.why?.english == "changed on \(name)" && $0.member == there },
                    "\(lines)"
                )
                // After leaving, each machine keeps its rules, and changes them only for itself.
                _ = try await laptop.client.call(LinkLeave.self, .init())
                _ = try await laptop.client.call(RuleRemove.self, .init(name: "games"))
                _ = try await desktop.client.call(RuleEdit.self, .init(name: "games", durationMs: 600_000))
                try await Task.sleep(for: .seconds(1))
                #expect(try await Self.minutes(desktop) == [10])
                #expect(try await Self.minutes(laptop).isEmpty)
            }
        }

        @Test("A folder of rules that is applied on each machine repeatedly remains one set of rules")
        func folder() async throws {
            try await Self.withTwo { _, desk, laptop, desktop in
                let folder = try ScratchDirectory()
                let names = (
                    try await HouseholdDesk.owner(laptop), try await HouseholdDesk.owner(desktop)
                )
                let file = """
                    games: limit category:games 30m --overlap once --warn 2m --say 'So much for "today"'
                    night: downtime 21:00-07:00 --only gimp --on sun-thu
                    film: window firefox 17:00-20:00
                    tools: allow gimp
                    """
                func write(_ text: String) throws {
                    for name in Set([names.0, names.1]) {
                        try AtomicFile.write(Array(text.utf8), to: folder.file("\(name).rules"))
                    }
                }
                func apply(_ machine: TestSystem, _ more: [String] = []) async -> String {
                    let line = ["rule", "apply", folder.path] + more + ["--json"]
                    let shown = await machine.type(line, "")
                    let reply = try? JSONValue(text: Array(shown.text.utf8))
                    guard case .array(let rules) = reply?["rules"] else { return shown.text }
                    return rules.compactMap { $0["did"]?.string }.joined(separator: " ")
                }
                try write(file)
                #expect(await apply(laptop, ["--dry-run"]) == "added added added added")
                #expect(await apply(laptop) == "added added added added")
                #expect(await apply(desktop) == "added added added added")
                try await desk.join(laptop)
                try await desk.join(desktop)
                // Both have the same rules from the start, so a new rule on one of them shows that they have exchanged rules.
                var mark = Self.limit(names.0, 77)
                mark.name = "mark"
                _ = try await laptop.client.call(RuleAdd.self, .init(mark))
                try await Self.agree([laptop, desktop], on: [30, 77], "one rule stays one")
                _ = try await laptop.client.call(RuleRemove.self, .init(name: "mark"))
                try await Self.agree([laptop, desktop], on: [30], "and it is the same")
                for machine in [laptop, desktop, laptop] {
                    #expect(await apply(machine) == "unchanged unchanged unchanged unchanged")
                }
                try write(file.replacing("30m", with: "45m"))
                #expect(await apply(desktop) == "changed unchanged unchanged unchanged")
                try await Self.agree([laptop], on: [45], "a change goes along")
                #expect(await apply(laptop) == "unchanged unchanged unchanged unchanged")
                try write("night: downtime 21:00-07:00 --only gimp --on sun-thu")
                #expect(await apply(laptop) == "unchanged")
                #expect(await apply(laptop, ["--only"]) == "removed removed removed unchanged")
                try await Self.agree([desktop], on: [], "and so does what is gone")
                #expect(await apply(desktop, ["--only"]) == "unchanged")
                // A different name, and a different kind.
                try write("late: downtime 21:00-07:00 --on sun-thu\nx: limit gimp 1h")
                #expect(await apply(desktop, ["--only"]) == "removed added added")
                try write("late: downtime 21:00-07:00 --on sun-thu\nx: allow gimp")
                #expect(await apply(desktop) == "unchanged changed")
                #expect(await apply(desktop) == "unchanged unchanged")
                try write("night: downtime 21:00-21:00")
                let bad = await laptop.type(["rule", "apply", folder.path], "")
                #expect(bad.code != .done && bad.text.contains("line 1: Give two different times"), "\(bad)")
            }
        }

        @Test("Categories, site lists and rules for requests reach the other machine")
        func settings() async throws {
            try await Self.withTwo { _, desk, laptop, desktop in
                let (here, there) = (
                    try await HouseholdDesk.owner(laptop), try await HouseholdDesk.owner(desktop)
                )
                let game = HouseholdDesk.game
                _ = try await laptop.client.call(
                    CategorySet.self,
                    .init(subject: game, category: "education")
                )
                try await desk.join(laptop)
                try await desk.join(desktop)
                try await eventually(within: .seconds(20), "the earlier category arrives") {
                    let found = try await Self.category(desktop)
                    guard found == "education" else { throw NotYet(found) }
                }
                let began = Stopwatch.bootMilliseconds()
                _ = try await desktop.client.call(CategorySet.self, .init(subject: game, category: "social"))
                try await eventually(within: .seconds(20), "the change arrives on the laptop") {
                    let found = try await Self.category(laptop)
                    guard found == "social" else { throw NotYet(found) }
                }
                print("a category was on the other machine after \(Stopwatch.bootMilliseconds() - began) ms")
                let list = CategoryListAdd.Request(name: "play", category: "games", domains: ["chess.org"])
                _ = try await laptop.client.call(CategoryListAdd.self, list)
                try await eventually(within: .seconds(20), "the list of sites arrives") {
                    let found = try await desktop.client.call(CategoryList.self, .init()).lists ?? []
                    guard found.map(\.name) == ["play"] else { throw NotYet("\(found)") }
                }
                let rule = RequestRule(
                    member: here,
                    delayMs: 120_000,
                    growthPercent: 100,
                    mostMs: 900_000,
                    aDay: 1
                )
                _ = try await laptop.client.call(RequestRuleSet.self, .init(rule: rule))
                try await eventually(within: .seconds(20), "the rule for requests arrives") {
                    let found = try await desktop.client.call(
                        RequestRuleShow.self,
                        .init(member: there)
                    )
                    guard found.rule == rule.of(there) else { throw NotYet("\(found)") }
                }
                let forged = RuleFollow.Request(household: "h", members: [""])
                let refused = [
                    await refusal { _ = try await laptop.client.call(CategoryFollow.self, forged) },
                    await refusal { _ = try await laptop.client.call(RequestRuleFollow.self, forged) },
                ]
                #expect(refused == ["access.not_service", "access.not_service"])
            }
        }

        @Test("A grant on one machine applies on the other, and revoking it ends it on both")
        func grants() async throws {
            try await Self.withTwo { _, desk, laptop, desktop in
                try await desk.join(laptop)
                try await desk.join(desktop)
                let (here, there) = (
                    try await HouseholdDesk.owner(laptop), try await HouseholdDesk.owner(desktop)
                )
                let rule = RequestRule(
                    member: here,
                    delayMs: 0,
                    growthPercent: 0,
                    mostMs: 900_000,
                    aDay: 3
                )
                _ = try await laptop.client.call(RequestRuleSet.self, .init(rule: rule))
                let game = TokenItem(kind: .application, id: HouseholdDesk.game)
                let began = Stopwatch.bootMilliseconds()
                let asked = RequestAdd.Request(member: here, items: [game], durationMs: 600_000)
                let own = try await laptop.client.call(RequestAdd.self, asked).request
                #expect(own.state == .granted)
                var found: RequestView?
                try await eventually(within: .seconds(20), "the request is granted on the other machine") {
                    let requests = try await desktop.client.call(RequestList.self, .init()).requests
                    found = requests.first { $0.state == .granted }
                    if found == nil { throw NotYet("\(requests)") }
                }
                print("a grant held on the other machine after \(Stopwatch.bootMilliseconds() - began) ms")
                #expect(found?.member == there && found?.device?.isEmpty == false)
                let shown = await desktop.type(["request", "list"], "")
                #expect(shown.text.contains(", on \(found?.device ?? "")"), "\(shown.text)")
                _ = try await desktop.client.call(RequestRevoke.self, .init(request: found?.request ?? ""))
                try await eventually(within: .seconds(20), "the request is revoked where it was granted") {
                    let requests = try await laptop.client.call(RequestList.self, .init()).requests
                    if requests.first?.state != .revoked { throw NotYet("\(requests)") }
                }
                // Another program of the account cannot grant itself time with this route.
                let forged = RequestFollow.Request(members: [there], granted: [])
                let code = await refusal { _ = try await desktop.client.call(RequestFollow.self, forged) }
                #expect(code == "access.not_service")
            }
        }

        /// Confirms and trusts a machine in personal mode. Without trust, its guardians cannot loosen rules for other machines.
        private static func confirm(_ number: String, _ hub: TestSystem) async throws {
            let device = try await hub.client.call(HouseholdConfirm.self, .init(number: number)).device
            #expect(device.isTrusted == false)
            let trust = await hub.type(["household", "trust", device.name], "")
            #expect(trust.code == .done && trust.text.contains("No child may use"), "\(trust.text)")
        }

        @Test("A child's rule is loosened only by a guardian, and then on all machines")
        func guarded() async throws {
            try await Self.withTwo { _, desk, laptop, desktop in
                for member in [Member(name: "kid", role: .child), Member(name: "mum", role: .guardian)] {
                    _ = try await laptop.client.call(MemberAdd.self, member)
                }
                let passcode = laptop.passcode(of: "mum")
                _ = try await laptop.client.call(
                    MemberPasscode.self,
                    .init(member: "mum", passcode: passcode)
                )
                let proof = Proof(by: "mum", passcode: passcode)
                let accounts = ["kid", "mum"].map { HouseholdAccount(here: $0, member: $0) }
                // Another household's rules would replace these.
                let code = try await desk.invitation()
                #expect(
                    await refusal {
                        _ = try await laptop.client.call(LinkJoin.self, .init(code: code, accounts: accounts))
                    } == "auth.proof_needed"
                )
                let join = ["household", "join", code, "--as", "kid=kid,mum=mum", "--json"]
                let joined = await laptop.type(join, passcode)
                #expect(joined.code == .done, "\(joined.text)")
                let guest = try await desk.hub.client.call(HouseholdShow.self, Empty()).guests.first
                #expect(guest?.guardians == ["mum"])
                let number = try await laptop.client.call(LinkShow.self, Empty()).number ?? ""
                try await Self.confirm(number, desk.hub)
                try await desk.join(desktop)
                let owner = try await HouseholdDesk.owner(desktop)
                _ = try await laptop.client.call(RuleAdd.self, .init(Self.limit("kid", 30)))
                try await Self.agree([desktop], on: [30], "the child's own machine has it")
                let machines = await laptop.type(["household", "show"], "")
                #expect(machines.text.contains("managed by mum"), "\(machines.text)")
                // On this machine the child is an adult member.
                _ = try await desktop.client.call(RuleRemove.self, .init(name: "games"))
                try await Self.agree([laptop, desktop], on: [30], "it comes back")
                let edit = RuleEdit.Request(name: "games", durationMs: 2_700_000, proof: proof)
                _ = try await laptop.client.call(RuleEdit.self, edit)
                try await Self.agree([laptop, desktop], on: [45], "the guardian's word counts everywhere")
                let lines = try await desktop.client.call(HistoryList.self, .init()).lines
                let looser = lines.first { $0.weight == .loosened && $0.member == owner && $0.by == "mum" }
                #expect(looser != nil, "\(lines)")
                // If there is a child, a guardian approves machines.
                let hub = desk.hub
                for member in [Member(name: "kid", role: .child), Member(name: "mum", role: .guardian)] {
                    _ = try await hub.client.call(MemberAdd.self, member)
                }
                let word = MemberPasscode.Request(member: "mum", passcode: hub.passcode(of: "mum"))
                _ = try await hub.client.call(MemberPasscode.self, word)
                try await eventually(within: .seconds(20), "a guardian's passcode is required") {
                    let code = await refusal {
                        _ = try await hub.client.call(HouseholdConfirm.self, .init(number: "000 000"))
                    }
                    guard code == "auth.proof_needed" || code == "auth.who_proves" else {
                        throw NotYet(code)
                    }
                }
                // Another program of the account cannot send the household's rules.
                let forged = RuleFollow.Request(
                    household: "forged",
                    members: ["kid"],
                    heard: [HouseholdRule(id: "one", member: "kid", version: 9)]
                )
                #expect(
                    await refusal { _ = try await laptop.client.call(RuleFollow.self, forged) }
                        == "access.not_service"
                )
                #expect(try await Self.minutes(laptop) == [45])
            }
        }

        @Test("After random kills both machines have the strictest of all changes to a rule")
        func kills() async throws {
            let rounds = Soak.rounds ?? (Soak.isOn ? 300 : 16)
            var random = SeededRandom(seed: Soak.seed)
            try await Self.withTwo { hub, desk, laptop, desktop in
                try await desk.join(laptop)
                try await desk.join(desktop)
                _ = try await laptop.client.call(
                    RuleAdd.self,
                    .init(Self.limit(try await HouseholdDesk.owner(laptop), 1_000))
                )
                try await Self.agree([laptop, desktop], on: [1_000], "it is on both")
                // Each change is stricter than all earlier ones, so none may be lost.
                var least: Int64 = 1_000
                for _ in 0..<rounds {
                    for machine in [laptop, desktop] where random.chance(percent: 60) {
                        least -= random.number(1...2)
                        let wanted = RuleEdit.Request(name: "games", durationMs: least * 60_000)
                        _ = try await machine.client.call(RuleEdit.self, wanted)
                    }
                    switch random.number(0...9) {
                    case 0...3: try hub.kill(.household)
                    case 4...5: try laptop.kill(.link)
                    case 6...7: try desktop.kill(.link)
                    default: try random.pick([laptop, desktop])?.kill(.activity)
                    }
                    for system in [hub, laptop, desktop] { try system.waitUntilReady() }
                    try await Task.sleep(for: .milliseconds(random.number(0...150)))
                }
                try await Self.agree(
                    [laptop, desktop],
                    on: [least],
                    "seed \(Soak.seed): both have the last and strictest",
                    within: .seconds(60)
                )
                #expect(least < 1_000)
                print("\(rounds) kills: both machines have the strictest of all changes")
            }
        }
    }
}
