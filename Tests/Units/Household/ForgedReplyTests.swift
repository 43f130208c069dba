import STActivityCore
import STBus
import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STShieldCore

/// Random values that a correct household does not send.
private struct ForgedReply {
    static let people = ["kid", "sister", "nobody", ""]
    var random: SeededRandom

    mutating func number() -> Int64 {
        random.pick([.min, -1, 0, 1, 60_000, 86_400_000, 1 << 53, .max]) ?? 0
    }

    mutating func text() -> String {
        let long = String(repeating: "x", count: 3_000)
        let ids = ["delay", "requests", "stop", "lesson-1", "list:games/0", "list:games/99", "one", "two"]
        return random.pick(ids + ids + ["", "\u{202E}evil", "\u{0}", long]) ?? ""
    }

    private mutating func some<Value>(_ value: (inout ForgedReply) -> Value) -> Value? {
        random.chance(percent: 40) ? value(&self) : nil
    }

    mutating func rule() -> HouseholdRule {
        var spec = RuleSpec(
            kind: random.pick([.limit, .downtime, .window, .goal, .break, .allow, .session]) ?? .limit,
            name: some { $0.text() },
            member: some { $0.text() },
            targets: (0..<random.number(0...2)).map { _ in TokenItem(kind: .application, id: text()) },
            durationMs: some { $0.number() },
            window: some { _ in RuleWindow(from: "21:00", to: "99:99") },
            days: some { [Int(truncatingIfNeeded: $0.number())] }
        )
        if random.chance(percent: 30) {
            // Only the member can be wrong.
            let id = random.pick(["one", HouseholdRule.delay]) ?? ""
            let delayMs: Int64? = id == HouseholdRule.delay ? 60_000 : nil
            spec = RuleSpec(kind: .limit, durationMs: 60_000 * random.number(1...60))
            return HouseholdRule(
                id: id,
                member: random.pick(Self.people) ?? "",
                version: 1,
                spec: delayMs == nil ? spec : nil,
                delayMs: delayMs
            )
        }
        return HouseholdRule(
            id: text(),
            member: random.pick(Self.people) ?? "",
            version: number(),
            spec: some { _ in spec },
            delayMs: some { $0.number() },
            category: some { $0.random.pick(["games", "none", ""]) ?? "" },
            sites: some { [$0.text(), "example.org"] },
            requests: some { forged in
                let values = (0..<4).map { _ in forged.number() }
                return RequestRule(
                    member: "kid",
                    delayMs: values[0],
                    growthPercent: values[1],
                    mostMs: values[2],
                    aDay: values[3]
                )
            },
            by: some { $0.text() },
            device: some { $0.text() }
        )
    }

    mutating func request() -> HouseholdRequest {
        HouseholdRequest(
            request: text(),
            askedMs: number(),
            member: random.pick(Self.people) ?? "",
            state: random.chance(percent: 80) ? .granted : .waiting,
            items: (0..<random.number(0...1)).map { _ in TokenItem(kind: .application, id: text()) },
            durationMs: random.chance(percent: 50) ? 900_000 : number(),
            by: some { $0.text() },
            leftMs: random.chance(percent: 50) ? 900_000 : number(),
            device: some { $0.text() },
            key: some { $0.text() }
        )
    }
}

@Suite("Forged replies of a household to the services of a machine")
struct ForgedReplyTests {
    private static func bench<State>(_ definition: ServiceDefinition<State>) throws -> CoreBench<State> {
        var bench = try CoreBench(definition)
        answer(&bench)
        return bench
    }

    private static func answer<State>(_ bench: inout CoreBench<State>) {
        let members = ["owner", "kid", "sister"].map { Member(name: $0, role: .individual) }
        bench.otherService = { route, _ in
            if route == RuleDelay.name {
                return try RuleDelay.Reply(member: "kid", delayMs: 0).encodedBody()
            }
            return try MemberList.Reply(device: Device(id: "d", name: "desk"), members: members).encodedBody()
        }
    }

    /// Sends a request. Returns nil for a refusal, and fails the test for any other error.
    private static func tell<State, R: Route>(
        _ bench: CoreBench<State>,
        route: R.Type,
        request: R.Request
    ) throws -> R.Reply? {
        do { return try bench.ask(route, request) } catch is Problem { return nil }
    }

    private static let limit = RuleSpec(
        kind: .limit,
        targets: [TokenItem(kind: .application, id: "game")],
        durationMs: 600_000
    )

    @Test("Forged replies change no rules of other people and do not prevent later rules of the household")
    func rules() throws {
        for seed in UInt64(1)...20 {
            var forged = ForgedReply(random: SeededRandom(seed: seed))
            var bench = try Self.bench(ActivityService.definition())
            var spec = Self.limit
            spec.member = "sister"
            _ = try bench.ask(RuleAdd.self, .init(spec))
            func hers() throws -> [RuleView] { try bench.ask(RuleList.self, .init(member: "sister")).rules }
            let before = try hers()
            for _ in 0..<40 {
                let heard = (0..<10).map { _ in forged.rule() }
                let request = RuleFollow.Request(household: "h", members: ["kid"], heard: heard)
                _ = try Self.tell(bench, route: RuleFollow.self, request: request)
                #expect(try hers() == before, "seed \(seed)")
            }
            #expect(try bench.ask(RuleDelay.self, .init(member: "sister")).delayMs == 0, "seed \(seed)")
            let kids = try bench.ask(RuleList.self, .init(member: "kid")).rules
            let lines = try bench.history.map { [$0.by ?? "", $0.why?.english ?? ""] }.flatMap(\.self)
            #expect(lines.allSatisfy { $0.isPlain && $0.utf8.count <= 300 }, "seed \(seed)")
            bench = try bench.reopened()
            Self.answer(&bench)
            #expect(try bench.ask(RuleList.self, .init(member: "kid")).rules == kids, "seed \(seed)")
            // A correct rule is applied afterwards.
            let honest = HouseholdRule(id: "honest", member: "kid", version: 1, spec: Self.limit)
            let request = RuleFollow.Request(household: "h", members: ["kid"], heard: [honest])
            let reply = try bench.ask(RuleFollow.self, request)
            #expect(reply.known.contains { $0.id == "honest" && $0.version == 1 }, "seed \(seed)")
        }
    }

    @Test("Endless new rules, settings and grants do not exceed the limits of a service")
    func endless() throws {
        let (monitor, activity) = (
            try Self.bench(ActivityService.definition()), try Self.bench(ActivityService.definition())
        )
        let shield = try Self.bench(ShieldService.definition())
        func ids(_ round: Int) -> [String] { (0..<200).map { "forged-\(round)-\($0)" } }
        for round in 0..<8 {
            for (member, id) in [("kid", "rule"), ("", "category")] {
                let heard = ids(round).map { HouseholdRule(id: "\(id)-\($0)", member: member, version: 1) }
                let request = RuleFollow.Request(household: "h", members: [member], heard: heard)
                let known =
                    member.isEmpty
                    ? try activity.ask(CategoryFollow.self, request).known
                    : try monitor.ask(RuleFollow.self, request).known
                #expect(known.count <= HouseholdRules.keptMax, "\(id) in round \(round)")
            }
            let granted = ids(round).map {
                HouseholdRequest(
                    request: "R1",
                    askedMs: 1,
                    member: "kid",
                    state: .granted,
                    items: [],
                    durationMs: 60_000,
                    leftMs: 60_000,
                    key: $0
                )
            }
            _ = try shield.ask(RequestFollow.self, .init(members: ["kid"], granted: granted))
            #expect(
                shield.state.requests.requests.count <= 1_000 + MoreTimeRequests.keptMax,
                "round \(round)"
            )
        }
    }

    @Test("Forged replies grant no time to other people, and none for longer than a day")
    func grants() throws {
        for seed in UInt64(1)...20 {
            var forged = ForgedReply(random: SeededRandom(seed: seed))
            var bench = try Self.bench(ShieldService.definition())
            let asked = try bench.ask(
                RequestAdd.self,
                .init(member: "kid", items: [], durationMs: 900_000)
            ).request
            for _ in 0..<40 {
                let answer = HouseholdAnswer(
                    request: forged.text(),
                    forMs: forged.number(),
                    by: forged.text()
                )
                let request = RequestFollow.Request(
                    members: ["kid"],
                    granted: (0..<10).map { _ in forged.request() },
                    takenBack: [forged.text()],
                    answers: [answer]
                )
                _ = try Self.tell(bench, route: RequestFollow.self, request: request)
                _ = try Self.tell(
                    bench,
                    route: RequestRuleFollow.self,
                    request: .init(
                        household: "h",
                        members: ["kid"],
                        heard: (0..<10).map { _ in forged.rule() }
                    )
                )
            }
            let nowMs = bench.time.now().wallMs
            let all = bench.state.requests.requests.values
            #expect(all.allSatisfy { $0.member == "kid" }, "seed \(seed)")
            #expect(all.allSatisfy { ($0.ends?.wallMs ?? 0) <= nowMs + 86_400_000 }, "seed \(seed)")
            #expect(bench.state.requests.rules["sister"] == nil, "seed \(seed)")
            let texts = all.flatMap { [$0.answeredBy ?? "", $0.origin?.device ?? ""] }
            #expect(texts.allSatisfy { $0.isPlain && $0.utf8.count <= 300 }, "seed \(seed)")
            bench = try bench.reopened()
            Self.answer(&bench)
            let shown = try bench.ask(RequestList.self, .init()).requests
            #expect(shown.contains { $0.request == asked.request && $0.state == .waiting }, "seed \(seed)")
        }
    }
}
