import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Timelines of observations")
struct TimelineTests {
    private var watcher = Watcher()
    private var lived = Lived()

    @Test("A repeated observation only extends the open segment")
    mutating func beat() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("editor", afterMs: 5_000))
        try lived.take(watcher.sees("editor", afterMs: 5_000))

        #expect(lived.story == ["editor active 10000"])
        #expect(lived.opened.count == 1)
        #expect(lived.open?.segment == "agent/run/1")
    }

    @Test("A change of app or site ends one segment where the next begins")
    mutating func turn() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("browser", domain: "a.example", afterMs: 4_000))
        try lived.take(watcher.sees("browser", domain: "b.example", afterMs: 3_000))
        try lived.take(watcher.sees("browser", domain: "b.example", afterMs: 2_000))

        #expect(lived.story == ["editor active 4000", "browser active 3000", "browser active 2000"])
        #expect(lived.closed.map(\.domain) == [nil, "a.example"])
        #expect(lived.opened.map(\.startBootMs) == [1_000_000, 1_004_000, 1_007_000])
        #expect(lived.opened.map(\.sequence) == [1, 2, 3])
    }

    @Test("A silence of more than 15 s while the member is active is unobserved")
    mutating func silence() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("editor", afterMs: 5_000))
        try lived.take(watcher.sees("editor", afterMs: Timeline.silence.ms + 1))
        try lived.take(watcher.sees("editor", afterMs: 1_000))

        #expect(lived.story == ["editor active 5000", "- unobserved 15001", "editor active 1000"])
        #expect(lived.closed.map(\.segment) == ["agent/run/1", "agent/run/3"])
        #expect(lived.open?.segment == "agent/run/3/1")
    }

    @Test("A silence of exactly 15 s counts as usage")
    mutating func shortSilence() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("editor", afterMs: Timeline.silence.ms))

        #expect(lived.story == ["editor active 15000"])
    }

    @Test(
        "An absence continues without repeated observations",
        arguments: [Presence.idle, .locked, .away, .suspended]
    )
    mutating func absence(presence: Presence) throws {
        try lived.take(watcher.sees(nil, presence))
        try lived.take(watcher.sees("editor", afterMs: 3_600_000))

        #expect(lived.story == ["- \(presence.rawValue) 3600000", "editor active 0"])
    }

    @Test("An unreported sleep is subtracted from the usage of the foreground app")
    mutating func sleep() throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.advance(byMs: 3_000)
        watcher.time.suspend(forMs: 7_200_000)
        try lived.take(watcher.sees("editor", afterMs: 2_000))

        #expect(lived.story == ["editor active 5000", "- suspended 7200000", "editor active 0"])
        #expect(lived.timeline.lanes.last?.suspendedMs == 7_200_000)
    }

    @Test("A sleep is subtracted only once, also if later observations show it")
    mutating func sleepOnce() throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.suspend(forMs: 60_000)
        try lived.take(watcher.sees("editor", afterMs: 1_000))
        try lived.take(watcher.sees("browser", afterMs: 1_000))
        try lived.take(watcher.sees("browser", afterMs: 1_000))

        #expect(lived.closed.filter { $0.presence == .suspended }.map(\.durationMs) == [60_000])
    }

    @Test("A sleep during an absence is suspended time, and the rest remains absence")
    mutating func sleepWhileAway() throws {
        try lived.take(watcher.sees(nil, .locked))
        watcher.time.suspend(forMs: 1_000_000)
        try lived.take(watcher.sees("editor", afterMs: 500_000))

        #expect(lived.story == ["- locked 500000", "- suspended 1000000", "editor active 0"])
    }

    @Test("Only the sleep in a long silence is suspended time")
    mutating func sleepInSilence() throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.suspend(forMs: 2_000)
        try lived.take(watcher.sees("editor", afterMs: 3_600_000))

        #expect(
            lived.story == ["editor active 0", "- unobserved 3600000", "- suspended 2000", "editor active 0"]
        )
        let names = lived.rows.map(\.segment)
        #expect(Set(names).count == 4)
    }

    @Test("Clocks that are read slightly apart show no sleep")
    mutating func readingsApart() throws {
        try lived.take(watcher.sees("editor"))
        for apart: Int64 in [1, 0, 3, 0, 1, 0] {
            // A late reading of the monotonic clock makes the sleep look shorter.
            var seen = watcher.sees("editor", afterMs: 1_000)
            seen.monotonicMs += apart
            if apart == 3 { seen.app = "browser" }
            try lived.take(seen)
        }

        #expect(lived.closed.filter { $0.presence == .suspended }.isEmpty)
    }

    @Test("A new boot ends the segment at its last observation")
    mutating func restart() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("editor", afterMs: 5_000))
        watcher.bootId = "next"
        var seen = watcher.sees("editor", afterMs: 60_000)
        seen.bootMs = 20
        seen.monotonicMs = 20
        try lived.take(seen)

        #expect(lived.story == ["editor active 5000", "editor active 0"])
        #expect(lived.open?.startBootMs == 20)
        #expect(lived.open?.bootId == "next")
        #expect(lived.timeline.past == ["boot"])
    }

    @Test("A sleep before a boot does not count after it")
    mutating func restartAfterSleep() throws {
        watcher.time.suspend(forMs: 1_000_000)
        try lived.take(watcher.sees("editor"))
        watcher.bootId = "next"
        var first = watcher.sees("editor")
        first.bootMs = 20
        first.monotonicMs = 20
        try lived.take(first)
        var second = first
        second.sequence += 1
        second.bootMs = 4_020
        second.monotonicMs = 1_020
        try lived.take(second)

        #expect(
            lived.story == ["editor active 0", "editor active 1000", "- suspended 3000", "editor active 0"]
        )
    }

    @Test(
        "A step of the wall clock changes no duration and starts a new row",
        arguments: [Int64(-86_400_000), -1_001, 1_001]
    )
    mutating func wallStep(stepMs: Int64) throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.stepWall(byMs: stepMs)
        try lived.take(watcher.sees("editor", afterMs: 5_000))
        try lived.take(watcher.sees("browser", afterMs: 5_000))

        #expect(lived.story == ["editor active 5000", "editor active 5000", "browser active 0"])
        #expect(lived.rows.map(\.stepMs) == [nil, stepMs, nil])
        #expect(
            lived.rows.map(\.startWallMs)
                == [1_790_000_000_000, 1_790_000_005_000 + stepMs, 1_790_000_010_000 + stepMs]
        )
    }

    @Test("A step of the wall clock during a silence is recorded in the silence's row")
    mutating func wallStepInSilence() throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.stepWall(byMs: 3_600_000)
        try lived.take(watcher.sees("editor", afterMs: 60_000))

        #expect(lived.story == ["editor active 0", "- unobserved 60000", "editor active 0"])
        #expect(lived.rows.map(\.stepMs) == [nil, 3_600_000, nil])
        #expect(lived.closed.last?.startWallMs == 1_790_003_600_000)
    }

    @Test(
        "A slewed clock is not a stepped one, whatever the total change",
        arguments: [Int64(-1), 1, 900]
    )
    mutating func slew(perBeatMs: Int64) throws {
        try lived.take(watcher.sees("editor"))
        for _ in 0..<100 {
            watcher.time.stepWall(byMs: perBeatMs)
            try lived.take(watcher.sees("editor", afterMs: 5_000))
        }

        #expect(lived.story == ["editor active 500000"])
    }

    @Test("Boot time that goes backwards is refused and changes nothing")
    mutating func backwards() throws {
        try lived.take(watcher.sees("editor"))
        try lived.take(watcher.sees("editor", afterMs: 5_000))
        let before = lived.timeline
        var seen = watcher.sees("browser")
        seen.bootMs -= 1
        var problem: Problem?
        do {
            try lived.take(seen)
        } catch let refused as Problem {
            problem = refused
        }

        #expect(problem?.code == "usage.time_backwards")
        #expect(problem?.field == "/observations/boot_ms")
        #expect(lived.timeline == before)
    }

    @Test("A new time zone starts a new segment of the same app")
    mutating func travel() throws {
        try lived.take(watcher.sees("editor"))
        watcher.time.travel(toZone: "Europe/Berlin")
        try lived.take(watcher.sees("editor", afterMs: 5_000))

        #expect(lived.story == ["editor active 5000", "editor active 0"])
        #expect(lived.closed.map(\.zone) == ["Asia/Seoul"])
        #expect(lived.open?.zone == "Europe/Berlin")
    }
}
