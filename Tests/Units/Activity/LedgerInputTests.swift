import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Observations sent to the ledger")
struct LedgerInputTests {
    private var desk: LedgerDesk

    init() throws { desk = try LedgerDesk() }

    /// An observation of the service's own machine, ahead of the service's clock.
    private mutating func own(aheadMs: Int64) -> Observation {
        var seen = desk.watcher.sees("a")
        seen.bootId = desk.bench.time.bootID
        seen.bootMs = desk.bench.time.now().bootMs + aheadMs
        seen.monotonicMs = seen.bootMs
        return seen
    }

    @Test("An observation can be at most two seconds ahead of the service's clock")
    mutating func future() throws {
        let problem = try desk.refusal([own(aheadMs: 2_001)])

        #expect(problem?.code == "usage.from_future")
        #expect(problem?.field == "/observations/0/boot_ms")
        #expect(problem?.retryable == false)
        #expect(problem?.details == ["now_boot_ms": "60000"])
        #expect(problem?.message.contains("2001 ms ahead") == true)
        desk.watcher.sequence = 0
        #expect(try desk.observe([own(aheadMs: 2_000)]).acceptedThrough == 1)
        // The clock cannot check an observation of another boot.
        desk.watcher.sequence = 1
        #expect(try desk.observe([desk.watcher.sees("a", afterMs: 90_000)]).acceptedThrough == 2)
    }

    @Test("With configured agents, an observation of any other agent is refused")
    mutating func unknownAgent() throws {
        desk = try LedgerDesk(agents: ["desktop-agent", "tty-agent"])
        let seen = [desk.watcher.sees("a")]
        let problem = try desk.refusal(seen, agent: "agent")

        #expect(problem?.code == "usage.unknown_agent")
        #expect(problem?.field == "/agent")
        #expect(problem?.details == ["agents": "desktop-agent,tty-agent"])
        #expect(try desk.observe(seen, agent: "tty-agent").acceptedThrough == 1)
        let agents = try desk.bench.ask(UsageNow.self, Empty()).agents
        #expect(agents == [UsageAgent(agent: "tty-agent", firstWallMs: desk.bench.time.now().wallMs)])
        desk.bench.time.advance(byMs: 60_000)
        _ = try desk.observe([desk.watcher.sees("a", afterMs: 1_000)], agent: "tty-agent")
        #expect(try desk.bench.reopened().ask(UsageNow.self, Empty()).agents == agents)
    }

    @Test("An observation whose last input is negative or later than the observation is refused")
    mutating func input() throws {
        for wrong: Int64 in [-1, 1_000_001, .max, .min] {
            desk.watcher.sequence = 0
            let problem = try desk.refusal([desk.watcher.sees("a", inputBootMs: wrong)])
            #expect(problem?.code == "usage.bad_number")
            #expect(problem?.field == "/observations/0/input_boot_ms")
        }
        desk.watcher.sequence = 0
        #expect(try desk.observe([desk.watcher.sees("a", inputBootMs: 1_000_000)]).acceptedThrough == 1)
    }

    @Test("An observation of an earlier boot is accepted, counted as late and not stored")
    mutating func oldBoot() throws {
        _ = try desk.observe([desk.watcher.sees("a"), desk.watcher.sees("a", afterMs: 5_000)])
        desk.watcher.bootId = "next"
        _ = try desk.observe([desk.watcher.sees("b", afterMs: 5_000)])
        let before = try desk.rows()
        let told = desk.bench.events.count
        desk.bench = try desk.bench.reopened()
        desk.watcher.bootId = "boot"
        desk.watcher.sequence = 0
        let reply = try desk.observe(
            [desk.watcher.sees("c"), desk.watcher.sees("d", afterMs: 1_000)],
            agent: "other"
        )

        #expect(reply == .init(acceptedThrough: 2, duplicates: 0, late: 2))
        #expect(try desk.rows() == before)
        #expect(told == 3)
        #expect(desk.bench.events.isEmpty)
        #expect(try desk.now().map(\.app) == ["b"])
    }

    @Test("Observations of two agents count once for their member, also across restarts of the service")
    mutating func twoAgents() throws {
        var other = 0
        for number in 0..<40 {
            desk.bench = try desk.bench.reopened()
            let isOther = number % 3 == 0
            var seen = desk.watcher.sees(isOther ? "mail" : "editor", afterMs: 1_000)
            seen.inputBootMs = seen.bootMs
            if isOther {
                other += 1
                seen.sequence = Int64(other)
            } else {
                seen.sequence = Int64(number + 1 - other)
            }
            let reply = try desk.observe([seen], agent: isOther ? "other" : "agent")
            #expect(reply.late == nil)
        }
        let rows = try desk.rows() + desk.now()

        #expect(rows.reduce(0) { $0 + $1.durationMs } == 39_000)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.endBootMs == $1.startBootMs })
        let mail = rows.filter { $0.app == "mail" }
        #expect(!mail.isEmpty && mail.allSatisfy { $0.agent == "other" })
    }

    @Test("The time in which an agent was halted for a minute is unobserved")
    mutating func stalledAgent() throws {
        for _ in 0..<3 { _ = try desk.observe([desk.watcher.sees("a", afterMs: 5_000)]) }
        // An agent halted by SIGSTOP reports nothing. Once continued, it reports its current observation.
        for ms: Int64 in [60_000, 5_000] { _ = try desk.observe([desk.watcher.sees("a", afterMs: ms)]) }

        let rows = try desk.rows() + desk.now()
        #expect(
            rows.map { "\($0.presence.rawValue) \($0.durationMs)" } == [
                "active 10000", "unobserved 60000", "active 5000",
            ]
        )
    }

    @Test(
        "Observations that the agent kept while the service was halted count in full"
    )
    mutating func stalledService() throws {
        let kept = (0..<14).map { _ in desk.watcher.sees("a", afterMs: 5_000) }
        desk.bench.time.advance(byMs: 60_000)
        _ = try desk.observe(kept)

        #expect(try desk.now().map(\.durationMs) == [65_000])
    }

    @Test("Published segments contain how their usage was detected")
    mutating func source() throws {
        _ = try desk.observe([desk.watcher.sees("a"), desk.watcher.sees("a", afterMs: 60_000)])
        desk.watcher.time.suspend(forMs: 1_000)
        _ = try desk.observe([desk.watcher.sees("a", afterMs: 1_000)])

        let closed = try desk.bench.events.filter { $0.header.type == SegmentClosed.type }
            .map { try $0.decoded(SegmentClosed.self) }
        #expect(closed == (try desk.rows()))
        #expect(closed.map(\.knownBy) == [.seen, .silence, .seen, .clocks])
    }
}
