import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Merging the reports of several agents")
struct MergeTests {
    private var watcher = Watcher()
    private var lived = Lived()

    /// One observation of an agent; each has numbers of its own.
    private mutating func says(
        _ agent: String,
        _ app: String?,
        _ presence: Presence = .active,
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

    @Test("the one with the latest input has the member in front, and only its time is written")
    mutating func latestInput() throws {
        try says("one", "editor", input: 0)
        try says("two", "mail", afterMs: 3_000, input: 3_000)
        try says("one", "editor", afterMs: 2_000, input: 0)
        try says("one", "browser", afterMs: 1_000, input: 0)
        try says("two", "mail", afterMs: 2_000, input: 3_000)
        try says("one", "browser", afterMs: 1_000, input: 9_000)

        #expect(holders == ["one editor 3000", "two mail 6000", "one browser 0"])
        #expect(lived.late == 0)
    }

    @Test("one that cannot report input has the member in front from when they turned up there")
    mutating func turningUp() throws {
        try says("one", "editor")
        try says("two", nil, .idle, afterMs: 1_000)
        try says("two", "mail", afterMs: 1_000)
        try says("one", "editor", afterMs: 1_000)
        try says("two", "mail", afterMs: 1_000)

        #expect(holders == ["one editor 2000", "two mail 2000"])
    }

    @Test(
        "another takes over at the very moment at which the holder is left",
        arguments: [Presence.idle, .locked, .away]
    )
    mutating func takeOver(presence: Presence) throws {
        try says("one", "editor", input: 0)
        try says("two", "mail", afterMs: 1_000, input: 1_000)
        try says("one", "editor", afterMs: 1_000, input: 500)
        try says("two", nil, presence, afterMs: 1_500)
        try says("one", "editor", afterMs: 2_000, input: 500)

        #expect(holders == ["one editor 1000", "two mail 2500", "one editor 2000"])
        #expect(lived.rows.map(\.presence) == [.active, .active, .active])
        // It shows what the other agent told, and is named by what led to it.
        #expect(lived.open?.sequence == 3)
        #expect(lived.open?.segment == "two/run/4")
    }

    @Test("one that was silent too long takes nothing over")
    mutating func deadCandidate() throws {
        try says("one", "editor", input: 0)
        try says("two", "mail", afterMs: 1_000, input: 1_000)
        for _ in 0..<4 { try says("two", "mail", afterMs: 5_000, input: 1_000) }
        try says("two", nil, .idle, afterMs: 1)
        try says("two", nil, .idle, afterMs: 3_000)

        #expect(holders == ["one editor 1000", "two mail 20001", "two - 3000"])
    }

    @Test("a holder that died is found out by another, and its silence does not count")
    mutating func deadHolder() throws {
        try says("one", "editor", input: 0)
        try says("two", "mail", afterMs: 1_000, input: 1_000)
        for _ in 0..<4 { try says("one", "editor", afterMs: 5_000, input: 0) }

        #expect(holders == ["one editor 1000", "two mail 0", "one - 20000", "one editor 0"])
        #expect(lived.closed.last?.presence == .unobserved)
        #expect(lived.closed.last?.knownBy == .silence)
    }

    @Test("one that is not there changes nothing of a dead holder's stretch")
    mutating func deadHolderIdle() throws {
        try says("one", "editor")
        try says("two", nil, .idle, afterMs: 1_000)
        try says("two", nil, .locked, afterMs: 60_000)

        #expect(holders == ["one editor 0"])
        try says("one", "editor", afterMs: 1_000)
        #expect(holders == ["one editor 0", "one - 62000", "one editor 0"])
    }

    @Test(
        "a report that comes after another of the same time begins where that one ended, and counts as late"
    )
    mutating func late() throws {
        try says("one", "editor", input: 0)
        try says("two", "mail", afterMs: 4_000, input: 4_000)
        // Made a second before, and heard after.
        try says("one", "browser", agoMs: 1_000, input: 3_000)
        try says("two", "mail", afterMs: 1_000, input: 4_000)

        #expect(holders == ["one editor 4000", "two mail 1000"])
        #expect(lived.late == 1)
        // Two is left: one goes on with what it told late.
        try says("two", nil, .idle, afterMs: 1_000)
        #expect(holders.last == "one browser 0")
    }

    @Test("a late word that has the latest input takes over where the time before ends")
    mutating func lateWinner() throws {
        try says("one", "editor", input: 0)
        try says("one", "editor", afterMs: 5_000, input: 0)
        try says("two", "mail", agoMs: 2_000, input: 3_000)
        try says("two", "mail", afterMs: 3_000, input: 3_000)

        #expect(holders == ["one editor 5000", "two mail 3000"])
        #expect(lived.late == 1)
        #expect(lived.open?.startWallMs == 1_790_000_005_000)
    }

    @Test("what is left of an earlier run of an agent that is past it changes nothing")
    mutating func earlierRun() throws {
        try says("one", "editor", run: "new")
        try says("one", "editor", afterMs: 5_000, run: "new")
        try says("one", "mail", agoMs: 1_000, run: "old")

        #expect(holders == ["one editor 5000"])
        #expect(lived.late == 1)
    }

    @Test("a new run of an agent whose spool was lost goes on; what it did not report is unobserved")
    mutating func lostSpool() throws {
        try says("one", "editor", run: "first")
        try says("one", "editor", afterMs: 5_000, run: "first")
        try says("one", "editor", afterMs: 600_000, run: "second")
        try says("one", "editor", afterMs: 5_000, run: "second")

        #expect(holders == ["one editor 5000", "one - 600000", "one editor 5000"])
    }

    @Test("silence does not matter where an agent knows that nothing changed")
    mutating func unbroken() throws {
        try says("one", "editor")
        try says("one", "editor", afterMs: 3_600_000, unbroken: true)
        watcher.time.suspend(forMs: 7_000)
        try says("one", "mail", afterMs: 60_000, unbroken: true)
        try says("one", "mail", afterMs: 60_000)

        #expect(
            lived.story == [
                "editor active 3660000", "- suspended 7000", "mail active 0", "- unobserved 60000",
                "mail active 0",
            ]
        )
        #expect(lived.rows.map(\.knownBy) == [.seen, .clocks, .seen, .silence, .seen])
    }

    @Test("with equal input the holder keeps the member, and otherwise the first name")
    mutating func ties() throws {
        try says("b", "mail", input: 0)
        try says("a", "editor", afterMs: 1_000, input: 0)
        try says("c", "chat", afterMs: 1_000, input: 0)
        try says("b", nil, .away, afterMs: 1_000)

        #expect(holders == ["b mail 3000", "a editor 0"])
    }

    @Test("a sleep is cut out once, whichever agent reports it")
    mutating func sleep() throws {
        try says("one", "editor", input: 0)
        watcher.time.suspend(forMs: 60_000)
        try says("two", "mail", afterMs: 1_000, input: -5_000)
        try says("one", "editor", afterMs: 1_000, input: 0)
        try says("two", "mail", afterMs: 1_000, input: 70_000)

        #expect(
            lived.story == [
                "editor active 2000", "- suspended 60000", "editor active 1000", "mail active 0",
            ]
        )
    }
}
