import STContracts
import STFollowing
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Usage ledger")
struct UsageLedgerTests {
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    /// Observations of three apps, five seconds each.
    private mutating func threeApps() -> [Observation] {
        ["a", "b", "c"].map { desk.watcher.sees($0, afterMs: 5_000) }
    }

    @Test("The ledger stores closed segments as rows, keeps the last one open, and announces both")
    mutating func rows() throws {
        let reply = try desk.observe(threeApps())

        #expect(reply == .init(acceptedThrough: 3, duplicates: 0))
        #expect(try desk.rows().map(\.app) == ["a", "b"])
        #expect(try desk.rows().map(\.durationMs) == [5_000, 5_000])
        #expect(try desk.now().map(\.app) == ["c"])
        // A segment that is closed by the end of the request is announced once.
        #expect(
            desk.bench.events.map { "\($0.header.type) \($0.header.subject)" } == [
                "usage.segment.closed agent/run/1", "usage.segment.closed agent/run/2",
                "usage.segment.opened agent/run/3",
            ]
        )
    }

    @Test("Each observation that is sent separately opens its segment immediately")
    mutating func oneByOne() throws {
        for seen in threeApps().prefix(2) { _ = try desk.observe([seen]) }

        #expect(
            desk.bench.events.map { "\($0.header.type) \($0.header.subject)" } == [
                "usage.segment.opened agent/run/1", "usage.segment.closed agent/run/1",
                "usage.segment.opened agent/run/2",
            ]
        )
    }

    @Test("Played usage is marked as played and does not replace observed usage")
    mutating func played() throws {
        _ = try desk.observe(threeApps() + [desk.watcher.sees(nil, .away, afterMs: 5_000)])
        let end = desk.watcher.time.now().wallMs
        func plays(_ sequence: Int64, _ app: String?, atMs wallMs: Int64) throws -> UsageObserve.Reply {
            let bootMs = wallMs - end + 600_000
            let seen = Observation(
                sequence: sequence,
                bootId: "script-1",
                at: TimeReading(wallMs: wallMs, bootMs: bootMs, monotonicMs: bootMs),
                zone: "UTC",
                member: "child",
                presence: app == nil ? .away : .active,
                app: app,
                played: true
            )
            return try desk.observe([seen], agent: "script")
        }
        // The agent observed no person five minutes ago, and observed one ten seconds ago.
        #expect(try plays(1, "game", atMs: end - 300_000).late == nil)
        #expect(try plays(2, "game", atMs: end - 295_000).late == nil)
        #expect(try plays(3, nil, atMs: end - 290_000).late == nil)
        #expect(try plays(4, "game", atMs: end - 12_000) == .init(acceptedThrough: 4, duplicates: 0, late: 1))
        #expect(try plays(5, "game", atMs: end + 60_000).late == nil)
        #expect(try plays(6, nil, atMs: end + 65_000).late == nil)
        let played = try desk.rows().filter { $0.app == "game" }
        #expect(played.map(\.knownBy) == [.played, .played])
        #expect(played.map(\.durationMs) == [10_000, 5_000])
        #expect(
            try desk.rows().filter { $0.app != nil && $0.app != "game" }.allSatisfy { $0.knownBy == .seen }
        )
    }

    @Test("Repeated observations count once")
    mutating func duplicates() throws {
        let seen = threeApps()
        _ = try desk.observe(seen)
        let told = desk.bench.events.count
        let more = [desk.watcher.sees("d", afterMs: 5_000)]

        #expect(try desk.observe(seen) == .init(acceptedThrough: 3, duplicates: 3))
        #expect(desk.bench.events.count == told)
        #expect(try desk.observe(seen + more) == .init(acceptedThrough: 4, duplicates: 3))
        #expect(try desk.rows().map(\.app) == ["a", "b", "c"])
    }

    @Test("A request that skips an observation is refused with the expected number and adds nothing")
    mutating func outOfOrder() throws {
        let seen = threeApps()
        let problem = try desk.refusal([seen[0], seen[2]])

        #expect(problem?.code == "usage.out_of_order")
        #expect(problem?.details == ["expected": "2"])
        #expect(problem?.retryable == true)
        #expect(try desk.rows().isEmpty)
        #expect(try desk.now().isEmpty)
        #expect(desk.bench.events.isEmpty)
        #expect(desk.bench.state.lastSequence.isEmpty)
        #expect(try desk.refusal([seen[1]])?.details == ["expected": "1"])
        #expect(try desk.observe(seen).acceptedThrough == 3)
    }

    @Test(
        "A request whose boot time goes backwards is refused as a whole"
    )
    mutating func wholeRequest() throws {
        var seen = threeApps()
        seen[2].bootMs = 1
        let before = desk.bench.state

        #expect(try desk.refusal(seen)?.code == "usage.time_backwards")
        #expect(desk.bench.state == before)
        #expect(try desk.rows().isEmpty)
        #expect(desk.bench.events.isEmpty)
    }

    @Test("The ledger refuses observations until the household is available")
    mutating func noHousehold() throws {
        desk = try LedgerDesk(members: [])
        let problem = try desk.refusal([desk.watcher.sees("a")])

        #expect(problem?.code == "unavailable")
        #expect(problem?.retryable == true)
    }

    @Test("An invalid observation is refused with its invalid field")
    mutating func refusals() throws {
        let good = desk.watcher.sees("a")
        func problem(_ change: (inout Observation) -> Void) throws -> String {
            var bad = good
            change(&bad)
            let problem = try desk.refusal([good, bad])
            return "\(problem?.code ?? "nothing") \(problem?.field ?? "")"
        }
        let place = "/observations/1"

        #expect(try problem { $0.member = "stranger" } == "member.unknown \(place)/member")
        #expect(try problem { $0.zone = "Europe/Atlantis" } == "usage.unknown_zone \(place)/zone")
        #expect(try problem { $0.presence = .unknown } == "body.unknown_value \(place)/presence")
        #expect(try problem { $0.bootId = "" } == "usage.bad_name \(place)/boot_id")
        #expect(try problem { $0.app = "" } == "usage.bad_name \(place)/app")
        #expect(
            try problem { $0.domain = String(repeating: "d", count: 257) } == "usage.bad_name \(place)/domain"
        )
        #expect(try problem { $0.bootMs = -1 } == "usage.bad_number \(place)")
        #expect(try problem { $0.bootMs = .max } == "usage.bad_number \(place)")
        #expect(try problem { $0.monotonicMs = .min } == "usage.bad_number \(place)")
        #expect(try problem { $0.wallMs = 253_402_300_800_000 } == "usage.bad_number \(place)")
        #expect(try problem { $0.sequence = 0 } == "usage.bad_number \(place)")
        #expect(try desk.refusal([good], agent: "")?.field == "/agent")
        #expect(try desk.refusal([good], run: String(repeating: "r", count: 257))?.field == "/run")
        #expect(desk.bench.events.isEmpty)
    }

    @Test("The ledger accepts 1 to 200 observations per request")
    mutating func batches() throws {
        let seen = (0...UsageObserve.batchMax).map { desk.watcher.sees("app\($0 % 2)", afterMs: 1_000) }

        #expect(try desk.refusal([])?.code == "usage.bad_batch")
        #expect(try desk.refusal(seen)?.code == "usage.bad_batch")
        #expect(try desk.observe(Array(seen.dropLast())).acceptedThrough == 200)
    }

    @Test("The ledger accepts 64 agents and refuses the 65th, and known agents can start new runs")
    mutating func agents() throws {
        for number in 0..<64 {
            desk.watcher.sequence = 0
            _ = try desk.observe([desk.watcher.sees("a")], agent: "agent\(number)")
        }
        desk.watcher.sequence = 0
        let seen = [desk.watcher.sees("a")]

        let problem = try desk.refusal(seen, agent: "agent64")
        #expect(problem?.code == "usage.too_many_agents")
        #expect(problem?.field == "/agent")
        #expect(try desk.now().count == 1)
        #expect(desk.bench.state.agents.count == 64)
        #expect(try desk.observe(seen, agent: "agent0", run: "next").acceptedThrough == 1)
        desk.bench = try desk.bench.reopened()
        #expect(try desk.refusal(seen, agent: "agent64")?.code == "usage.too_many_agents")
    }

    @Test(
        "The ledger stores the last 64 runs of an agent, and refuses an older run, also after a restart"
    )
    mutating func runs() throws {
        for number in 0...64 {
            desk.watcher.sequence = 0
            _ = try desk.observe([desk.watcher.sees("a", afterMs: 1_000)], run: "run\(number)")
        }
        desk.watcher.sequence = 1
        let next = [desk.watcher.sees("b", afterMs: 1_000)]

        #expect(desk.bench.state.lastSequence.count == 64)
        #expect(try desk.refusal(next, run: "run0")?.details == ["expected": "1"])
        let known = desk.bench.state
        desk.bench = try desk.bench.reopened()
        #expect(desk.bench.state.lastSequence == known.lastSequence)
        #expect(try desk.refusal(next, run: "run0")?.code == "usage.out_of_order")
        #expect(try desk.observe(next, run: "run1").acceptedThrough == 2)
    }

    @Test("Restarts of the service change neither rows nor open segments")
    mutating func starts() throws {
        var random = SeededRandom(seed: 3)
        let seen = (0..<60).map { _ -> Observation in
            if random.chance(percent: 10) { desk.watcher.time.suspend(forMs: 60_000) }
            let app = random.pick(["a", "b", nil]) ?? nil
            return desk.watcher.sees(app, afterMs: Int64(random.pick([1_000, 5_000, 20_000]) ?? 0))
        }
        let straight = try LedgerDesk()
        for observation in seen { _ = try straight.observe([observation]) }
        for observation in seen {
            desk.bench = try desk.bench.reopened()
            _ = try desk.observe([observation])
        }

        #expect(try desk.rows() == straight.rows())
        #expect(try desk.now() == straight.now())
        #expect(desk.bench.state.timelines == straight.bench.state.timelines)
    }

    @Test("The growth of an open segment is announced every 30 s, not at every observation")
    mutating func growth() throws {
        for _ in 0...13 { _ = try desk.observe([desk.watcher.sees("a", afterMs: 5_000)]) }

        let ends = try desk.bench.events.map { try $0.decoded(SegmentOpened.self).durationMs }
        #expect(ends == [0, 30_000, 60_000])
        #expect(try desk.now().map(\.durationMs) == [65_000])
    }

    @Test("Usage of two members that one agent observes is stored separately")
    mutating func members() throws {
        _ = try desk.observe([
            desk.watcher.sees("a"), desk.watcher.sees("b", member: "guardian", afterMs: 1_000),
            desk.watcher.sees("a", afterMs: 1_000),
            desk.watcher.sees("b", member: "guardian", afterMs: 1_000),
        ])

        #expect(try desk.rows().isEmpty)
        #expect(try desk.now().map { "\($0.member) \($0.durationMs)" } == ["child 2000", "guardian 2000"])
    }

    @Test("The ledger is read in pages, each row once, in the order of storage")
    mutating func pages() throws {
        _ = try desk.observe((0..<100).map { desk.watcher.sees("app\($0)", afterMs: 1_000) })
        var apps: [String?] = []
        var next: String?
        repeat {
            let page = try desk.bench.ask(UsageList.self, .init(next: next, limit: 7))
            #expect(page.rows.count <= 7)
            apps += page.rows.map(\.app)
            next = page.next
        } while next != nil

        #expect(apps == (0..<99).map { "app\($0)" })
        for bad in ["-1", "x", ""] {
            #expect(try desk.bench.refusal(UsageList.self, .init(next: bad))?.code == "page.invalid")
        }
        #expect(try desk.bench.refusal(UsageList.self, .init(limit: 0))?.field == "/limit")
    }

    @Test("A rebuild of the household replaces only the household")
    mutating func household() throws {
        _ = try desk.observe(threeApps())
        let event = try CoreBench<ActivityState>.event(
            MemberAdded.self,
            sequence: 9,
            subject: "member/guardian",
            body: Member(name: "guardian", role: .child)
        )
        try desk.bench.rebuild([event])

        #expect(try desk.refusal([desk.watcher.sees("a")])?.code == "member.unknown")
        #expect(try desk.rows().count == 2)
        #expect(try desk.bench.reopened().state.household.members.map(\.name) == ["guardian"])
    }
}
