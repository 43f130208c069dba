import STContracts
import STDomain
import STPlatform
import STRules
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Notes of rules on their shields")
struct RuleNoteTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("A limit's note has its name, its message, its time and midnight as the opening time")
    func limit() throws {
        try shields.add(RuleDesk.limit(), say: "{used} of {limit} of {app}, {left} left. You promised")
        try shields.deliver("d1", RuleDesk.reached("firefox"))

        let says = "30 min of 30 min of firefox, 0 s left. You promised"
        let expected = ShieldNote(
            rule: "firefox",
            says: says,
            opensMs: RuleDesk.nextMs,
            reason: .limit(.seconds(1_800))
        )
        #expect(try shields.note("owner/firefox") == expected)
        try shields.deliver("d2", RuleDesk.ended("firefox"))
        #expect(try shields.note("owner/firefox") == nil)
    }

    @Test("The note of a limit without a message has the name, the opening time and the reason")
    func plain() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        let expected = ShieldNote(
            rule: "firefox",
            opensMs: RuleDesk.nextMs,
            reason: .limit(.seconds(1_800))
        )
        #expect(try shields.note("owner/firefox") == expected)
    }

    @Test("A downtime's note has its end as the opening time and keeps the placeholder {left}")
    func downtime() throws {
        try shields.add(RuleDesk.downtime(), say: "{left} to go until the end of {limit}")
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs: startMs, endMs: endMs))

        let says = "{left} to go until the end of 21:30-07:00"
        let expected = ShieldNote(
            rule: "downtime",
            says: says,
            opensMs: endMs,
            reason: .downtime(hours: "21:30-07:00")
        )
        #expect(try shields.note("owner/downtime") == expected)
    }

    @Test("The note of a window names the opening on its next day, not the end of the current interval")
    func window() throws {
        // The window opens on Friday and Monday, 17:00 to 20:00. The time between is divided at 17:00 of each day.
        try shields.add(RuleDesk.window(days: [2, 6]), say: "{app} only {limit}")
        let friday = RuleDesk.wallMs(day: 20, hour: 20)
        let saturday = RuleDesk.wallMs(day: 21, hour: 17)
        let sunday = RuleDesk.wallMs(day: 22, hour: 17)
        let monday = RuleDesk.wallMs(day: 23, hour: 17)
        let expected = ShieldNote(
            rule: "social-window",
            says: "social only 17:00-20:00",
            opensMs: monday,
            reason: .window(hours: "17:00-20:00")
        )

        // The window is also closed on Friday at noon, so its start has published a decision.
        let count = try shields.decided.count
        try shields.deliver("d1", RuleDesk.begun("social-window", startMs: friday, endMs: saturday))
        #expect(try shields.note("owner/social-window") == expected)
        try shields.deliver("d2", RuleDesk.begun("social-window/off", startMs: saturday, endMs: sunday))
        try shields.deliver("d3", RuleDesk.ended("social-window", startMs: friday, endMs: saturday))
        #expect(try shields.note("owner/social-window") == expected)
        // One decision only, because nothing has changed since.
        #expect(try shields.decided.count == count + 1)
    }

    @Test("A daily window's note opens at its interval's end, and one with days has no time without a zone")
    func zone() throws {
        let words = NoticeStrings(language: "en")
        let endMs = RuleDesk.wallMs(day: 21, hour: 17)
        let span = ClosedInterval(
            start: WallTime(ms: RuleDesk.wallMs(day: 20, hour: 20)),
            end: WallTime(ms: endMs),
            delivery: "d1"
        )
        func opens(_ spec: RuleSpec) -> Int64? {
            let rule = Rule(id: "w", spec: spec, added: WallTime(ms: 0))
            return RuleShieldNote.of(rule, closed: span, words: words).opensMs
        }
        #expect(opens(RuleDesk.window()) == endMs)
        #expect(opens(RuleDesk.window(days: [6])) == nil)
        // An older version stored no zone.
        let old = #"{"start_ms":1,"end_ms":2,"delivery":"d"}"#
        #expect(try ClosedInterval.decodedBody(Array(old.utf8)).zone == nil)
    }

    @Test("A goal's note has a reason, but neither a message nor an opening time")
    func goal() throws {
        try shields.add(RuleDesk.goal(), say: "Well done")
        try shields.deliver("d1", RuleDesk.begun("code-goal"))
        #expect(try shields.note("owner/code-goal") == ShieldNote(rule: "code-goal", reason: .goal))

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "code-goal", days: [6]))
        try shields.keep()
        #expect(try shields.note("owner/code-goal") == ShieldNote(rule: "code-goal", reason: .goal))
    }

    @Test("An edit of name and message changes the note of an active shield, with one decision")
    func edited() throws {
        try shields.add(RuleDesk.limit(), say: "Enough")
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        let edit = RuleEdit.Request(
            name: "firefox",
            newName: "evenings",
            durationMs: 1_200_000,
            say: "{limit}!"
        )
        let reply = try desk.bench.ask(RuleEdit.self, edit)
        #expect(reply.rule.isShielding == true)
        try shields.keep()

        let expected = ShieldNote(
            rule: "evenings",
            says: "20 min!",
            opensMs: RuleDesk.nextMs,
            reason: .limit(.seconds(1_800))
        )
        #expect(try shields.note("owner/firefox") == expected)
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
        #expect(try shields.decided.count == 2)
    }

    @Test("A note with long names and a long message is shortened to fit")
    func bounds() throws {
        var spec = RuleDesk.limit()
        spec.name = String(repeating: "규", count: 21)
        spec.targets = (1...3).map { RuleDesk.app(String(repeating: "앱", count: 60) + "\($0)") }
        try shields.add(spec, say: String(repeating: "{app}", count: 100))
        let id = try #require(desk.book.rules.keys.first)
        try shields.deliver("d1", RuleDesk.reached(id))

        let note = try #require(try shields.note("owner/\(id)"))
        #expect(note.rule == spec.name)
        let bytes = note.message?.utf8.count ?? 0
        #expect((ShieldNote.messageBytesMax - 4...ShieldNote.messageBytesMax).contains(bytes), "\(bytes)")
        #expect(RuleCheck.nameBytesMax == ShieldNote.ruleBytesMax)
        #expect(RuleCheck.messageBytesMax <= ShieldNote.messageBytesMax)
    }

    @Test("A note is in the language of the account, also after the language changes")
    func korean() throws {
        let shields = try ShieldDesk(language: "ko_KR")
        var spec = RuleDesk.limit(minutes: 90)
        spec.targets = []
        try shields.add(spec, say: "{app} {limit}")
        try shields.deliver("d1", RuleDesk.reached("everything", minutes: 90))
        #expect(try shields.note("owner/everything")?.message == "컴퓨터 1시간 30분")

        // After this restart, the language is English.
        try shields.desk.reboot(wallMs: RuleDesk.noonMs + 60_000, bootMs: 1)
        try shields.keep()
        #expect(try shields.note("owner/everything")?.message == "the computer 1 h 30 min")
    }
}
