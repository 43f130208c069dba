import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Rules after a zone change, an edit or a late occurrence")
struct RuleShieldLateTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("After a zone change to the east, a downtime ends at its local end time")
    func journey() throws {
        try shields.add(RuleDesk.downtime("22:00", "07:00"))
        let startMs = RuleDesk.wallMs(day: 20, hour: 22)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))
        #expect(try shields.stores == ["owner/downtime": "all"])
        // At 23:00 in Berlin it is 07:00 in Seoul.
        let seoulMs = RuleDesk.wallMs(day: 20, hour: 23)
        try shields.deliver("d2", RuleDesk.ended("downtime", startMs: startMs, endMs: seoulMs))
        #expect(try shields.stores == ["owner/downtime": ""])
    }

    @Test("A late occurrence for other apps or too little usage meets no goal and reaches no limit")
    func late() throws {
        func reached(_ activity: String, minutes: Int64, _ app: String) -> ActivityOccurrence {
            var reached = RuleDesk.reached(activity, minutes: minutes)
            let ms = minutes * 60_000
            let part = EvidencePart(segment: "s1", app: app, startWallMs: RuleDesk.dayMs, ms: ms)
            reached.evidence.parts = [part]
            return reached
        }
        try shields.add(RuleDesk.goal())
        try shields.deliver("d1", RuleDesk.begun("code-goal"))
        try shields.deliver("d2", reached("code-goal", minutes: 60, "code"))
        try shields.deliver("d3", reached("code-goal", minutes: 120, "steam"))
        #expect(try shields.stores == ["owner/code-goal": "categories games"])
        try shields.deliver("d4", reached("code-goal", minutes: 120, "code"))
        #expect(try shields.stores == ["owner/code-goal": ""])

        try shields.add(RuleDesk.limit())
        try shields.deliver("d5", reached("firefox", minutes: 30, "steam"))
        #expect(try shields.stores["owner/firefox"] == nil)
        try shields.deliver("d6", reached("firefox", minutes: 30, "firefox"))
        #expect(try shields.stores["owner/firefox"] == "apps firefox")
    }

    @Test("An edit of today's weekend amount keeps the shield only if the amount is still used up")
    func weekend() throws {
        try shields.add(RuleDesk.limit(minutes: 30))
        // 2026-11-21 is a Saturday.
        desk.bench.time.advance(byMs: RuleDesk.wallMs(day: 21, hour: 13) - RuleDesk.noonMs)
        try shields.deliver("d1", RuleDesk.reached("firefox", day: 21))
        for (weekendMs, isShut) in [(1_200_000, true), (1_800_000, true), (7_200_000, false)]
            as [(Int64, Bool)]
        {
            _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", weekendMs: weekendMs))
            try shields.keep()
            #expect(try shields.stores["owner/firefox"] == (isShut ? "apps firefox" : ""), "\(weekendMs)")
        }
    }
}
