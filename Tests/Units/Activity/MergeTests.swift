import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Merged reports of several agents")
struct MergeTests {
    private var watcher = Watcher()
    private var lived = Lived()

    /// Reports one observation of an agent.
    private mutating func says(
        _ agent: String,
        app: String?,
        presence: Presence = .active,
        afterMs: Int64 = 0,
        agoMs: Int64 = 0,
        input: Int64? = nil,
        run: String = "run",
        unbroken: Bool? = nil
    ) throws {
        var seen = watcher.sees(app, presence, afterMs: afterMs, unbroken: unbroken)
        seen.bootMs -= agoMs
        seen.monotonicMs -= agoMs
        seen.wallMs -= agoMs
        seen.inputBootMs = input.map { 1_000_000 + $0 }
        try lived.take(seen, agent: agent, run: run)
    }

    private var holders: [String] { lived.rows.map { "\($0.agent) \($0.app ?? "-") \($0.durationMs)" } }

    @Test("The member's usage belongs to the agent with the latest input, and only that one is stored")
    mutating func latestInput() throws {
        try says("one", app: "editor", input: 0)
        try says("two", app: "mail", afterMs: 3_000, input: 3_000)
        try says("one", app: "editor", afterMs: 2_000, input: 0)
        try says("one", app: "browser", afterMs: 1_000, input: 0)
        try says("two", app: "mail", afterMs: 2_000, input: 3_000)
        try says("one", app: "browser", afterMs: 1_000, input: 9_000)

        #expect(holders == ["one editor 3000", "two mail 6000", "one browser 0"])
        #expect(lived.late == 0)
    }

    @Test("An agent that reports no input gets the member when the member becomes active there")
    mutating func turningUp() throws {
        try says("one", app: "editor")
        try says("two", app: nil, presence: .idle, afterMs: 1_000)
        try says("two", app: "mail", afterMs: 1_000)
        try says("one", app: "editor", afterMs: 1_000)
        try says("two", app: "mail", afterMs: 1_000)

        #expect(holders == ["one editor 2000", "two mail 2000"])
    }

    @Test(
        "Another agent takes over at the moment when the member leaves the first",
        arguments: [Presence.idle, .locked, .away]
    )
    mutating func takeOver(presence: Presence) throws {
        try says("one", app: "editor", input: 0)
        try says("two", app: "mail", afterMs: 1_000, input: 1_000)
        try says("one", app: "editor", afterMs: 1_000, input: 500)
        try says("two", app: nil, presence: presence, afterMs: 1_500)
        try says("one", app: "editor", afterMs: 2_000, input: 500)

        #expect(holders == ["one editor 1000", "two mail 2500", "one editor 2000"])
        #expect(lived.rows.map(\.presence) == [.active, .active, .active])
        // The segment has the content of agent one's report, and the name of the report that caused the change.
        #expect(lived.open?.sequence == 3)
        #expect(lived.open?.segment == "two/run/4")
    }

    @Test("An agent that was silent for too long does not take over")
    mutating func deadCandidate() throws {
        try says("one", app: "editor", input: 0)
        try says("two", app: "mail", afterMs: 1_000, input: 1_000)
        for _ in 0..<4 { try says("two", app: "mail", afterMs: 5_000, input: 1_000) }
        try says("two", app: nil, presence: .idle, afterMs: 1)
        try says("two", app: nil, presence: .idle, afterMs: 3_000)

        #expect(holders == ["one editor 1000", "two mail 20001", "two - 3000"])
    }

    @Test("The silence of a dead agent that had the member is unobserved when another agent reports")
    mutating func deadHolder() throws {
        try says("one", app: "editor", input: 0)
        try says("two", app: "mail", afterMs: 1_000, input: 1_000)
        for _ in 0..<4 { try says("one", app: "editor", afterMs: 5_000, input: 0) }

        #expect(holders == ["one editor 1000", "two mail 0", "one - 20000", "one editor 0"])
        #expect(lived.closed.last?.presence == .unobserved)
        #expect(lived.closed.last?.knownBy == .silence)
    }

    @Test("An inactive agent's report does not change the segment of a dead agent")
    mutating func deadHolderIdle() throws {
        try says("one", app: "editor")
        try says("two", app: nil, presence: .idle, afterMs: 1_000)
        try says("two", app: nil, presence: .locked, afterMs: 60_000)

        #expect(holders == ["one editor 0"])
        try says("one", app: "editor", afterMs: 1_000)
        #expect(holders == ["one editor 0", "one - 62000", "one editor 0"])
    }

    @Test(
        "A late report starts where the reported time ends, and is counted as late"
    )
    mutating func late() throws {
        try says("one", app: "editor", input: 0)
        try says("two", app: "mail", afterMs: 4_000, input: 4_000)
        // This report is a second older than the last one.
        try says("one", app: "browser", agoMs: 1_000, input: 3_000)
        try says("two", app: "mail", afterMs: 1_000, input: 4_000)

        #expect(holders == ["one editor 4000", "two mail 1000"])
        #expect(lived.late == 1)
        // The member leaves agent two, and agent one continues with its late report.
        try says("two", app: nil, presence: .idle, afterMs: 1_000)
        #expect(holders.last == "one browser 0")
    }

    @Test("A late report with the latest input takes over where the reported time ends")
    mutating func lateWinner() throws {
        try says("one", app: "editor", input: 0)
        try says("one", app: "editor", afterMs: 5_000, input: 0)
        try says("two", app: "mail", agoMs: 2_000, input: 3_000)
        try says("two", app: "mail", afterMs: 3_000, input: 3_000)

        #expect(holders == ["one editor 5000", "two mail 3000"])
        #expect(lived.late == 1)
        #expect(lived.open?.startWallMs == 1_790_000_005_000)
    }

    @Test("Reports of an agent's earlier run change nothing after its new run")
    mutating func earlierRun() throws {
        try says("one", app: "editor", run: "new")
        try says("one", app: "editor", afterMs: 5_000, run: "new")
        try says("one", app: "mail", agoMs: 1_000, run: "old")

        #expect(holders == ["one editor 5000"])
        #expect(lived.late == 1)
    }

    @Test("A new run continues after a lost spool, and the time without reports is unobserved")
    mutating func lostSpool() throws {
        try says("one", app: "editor", run: "first")
        try says("one", app: "editor", afterMs: 5_000, run: "first")
        try says("one", app: "editor", afterMs: 600_000, run: "second")
        try says("one", app: "editor", afterMs: 5_000, run: "second")

        #expect(holders == ["one editor 5000", "one - 600000", "one editor 5000"])
    }

    @Test("A silence counts as usage if the agent reports that nothing changed")
    mutating func unbroken() throws {
        try says("one", app: "editor")
        try says("one", app: "editor", afterMs: 3_600_000, unbroken: true)
        watcher.time.suspend(forMs: 7_000)
        try says("one", app: "mail", afterMs: 60_000, unbroken: true)
        try says("one", app: "mail", afterMs: 60_000)

        #expect(
            lived.story == [
                "editor active 3660000", "- suspended 7000", "mail active 0", "- unobserved 60000",
                "mail active 0",
            ]
        )
        #expect(lived.rows.map(\.knownBy) == [.seen, .clocks, .seen, .silence, .seen])
    }

    @Test("With equal input the current agent keeps the member, and otherwise the first name wins")
    mutating func ties() throws {
        try says("b", app: "mail", input: 0)
        try says("a", app: "editor", afterMs: 1_000, input: 0)
        try says("c", app: "chat", afterMs: 1_000, input: 0)
        try says("b", app: nil, presence: .away, afterMs: 1_000)

        #expect(holders == ["b mail 3000", "a editor 0"])
    }

    @Test("A sleep is subtracted once, whichever agent reports it")
    mutating func sleep() throws {
        try says("one", app: "editor", input: 0)
        watcher.time.suspend(forMs: 60_000)
        try says("two", app: "mail", afterMs: 1_000, input: -5_000)
        try says("one", app: "editor", afterMs: 1_000, input: 0)
        try says("two", app: "mail", afterMs: 1_000, input: 70_000)

        #expect(
            lived.story == [
                "editor active 2000", "- suspended 60000", "editor active 1000", "mail active 0",
            ]
        )
    }
}
