import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Boots of the machine")
struct BootTests {
    private var watcher = Watcher()
    private var lived = Lived()

    /// Reports an observation. The boot time of each boot begins at 10 s.
    private mutating func says(
        _ boot: String,
        _ app: String?,
        atMs ms: Int64,
        agent: String = "agent",
        home: String = "home"
    )
        throws
    {
        var seen = watcher.sees(app)
        seen.bootId = boot
        seen.bootMs = 10_000 + ms
        seen.monotonicMs = 10_000 + ms
        seen.wallMs += ms
        try lived.take(seen, agent: agent, run: "run-\(boot)", home: home)
    }

    @Test("A new boot ends the segment of the earlier boot, whose late reports change nothing")
    mutating func old() throws {
        try says("a", "editor", atMs: 0)
        try says("a", "editor", atMs: 5_000)
        try says("b", "mail", atMs: 0)
        try says("a", "editor", atMs: 9_000, agent: "other")
        try says("b", "mail", atMs: 4_000)

        #expect(lived.story == ["editor active 5000", "mail active 4000"])
        #expect(lived.late == 1)
    }

    @Test("Reports of the earlier boot count until an agent reports the new one")
    mutating func spoolOverStart() throws {
        try says("home-1", "editor", atMs: 0, home: "home-1")
        try says("home-1", "editor", atMs: 5_000, home: "home-2")
        try says("home-2", "mail", atMs: 0, home: "home-2")
        try says("home-1", "editor", atMs: 9_000, agent: "other", home: "home-2")

        #expect(lived.story == ["editor active 5000", "mail active 0"])
        #expect(lived.late == 1)
    }

    @Test("The machine's own boot stays current while reports of other boots count beside it")
    mutating func home() throws {
        try says("home", "editor", atMs: 0)
        try says("script-1", "game", atMs: 0)
        try says("home", "editor", atMs: 5_000)
        try says("script-1", "game", atMs: 5_000)
        try says("script-2", "chat", atMs: 0)
        try says("home", "editor", atMs: 9_000)
        try says("script-1", "game", atMs: 9_000)
        try says("script-2", "chat", atMs: 4_000)

        #expect(lived.sums == ["editor active": 9_000, "game active": 5_000, "chat active": 4_000])
        #expect(lived.late == 1)
        #expect(lived.timeline.lanes.count == 2)
    }

    @Test("A limited number of earlier boots is stored")
    mutating func limit() throws {
        for number in 0...(Timeline.pastMax + 5) { try says("boot-\(number)", "editor", atMs: 0) }

        #expect(lived.timeline.past.count == Timeline.pastMax)
        #expect(lived.timeline.past.first == "boot-5")
        #expect(lived.timeline.lanes.count == 1)
    }
}
