import STContracts
import STDomain
import STPlatform
import STRules
import STTestKit
import Testing

@testable import STActivityCore

@Suite("The note of a rule on its shield")
struct RuleNoteTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("a limit's note has its name, the same words as its notice, and midnight")
    func limit() throws {
        try shields.add(RuleDesk.limit(), say: "{used} of {limit} of {app}, {left} left. You promised")
        try shields.deliver("d1", RuleDesk.reached("firefox"))

        let says = "30 min of 30 min of firefox, 0 s left. You promised"
        let expected = ShieldNote(rule: "firefox", says: says, opensMs: RuleDesk.nextMs)
        #expect(try shields.note("owner/firefox") == expected)
        try shields.deliver("d2", RuleDesk.ended("firefox"))
        #expect(try shields.note("owner/firefox") == nil)
    }

    @Test("a rule without own words notes only its name and the opening time")
    func plain() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        #expect(try shields.note("owner/firefox") == ShieldNote(rule: "firefox", opensMs: RuleDesk.nextMs))
    }

    @Test("a downtime's note opens at its end; the drawing program fills in {left}")
    func downtime() throws {
        try shields.add(RuleDesk.downtime(), say: "{left} to go until the end of {limit}")
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        try shields.deliver("d1", RuleDesk.begun("downtime", startMs, endMs))

        let says = "{left} to go until the end of 21:30-07:00"
        let expected = ShieldNote(rule: "downtime", says: says, opensMs: endMs)
        #expect(try shields.note("owner/downtime") == expected)
    }

    @Test("a window's note opens on its next day, not at the end of the present stretch")
    func window() throws {
        // Friday and Monday from 17:00 to 20:00; what lies between is cut at 17:00 of each day.
        try shields.add(RuleDesk.window(days: [2, 6]), say: "{app} only {limit}")
        let friday = RuleDesk.wallMs(day: 20, hour: 20)
        let saturday = RuleDesk.wallMs(day: 21, hour: 17)
        let sunday = RuleDesk.wallMs(day: 22, hour: 17)
        let monday = RuleDesk.wallMs(day: 23, hour: 17)
        let expected = ShieldNote(rule: "social-window", says: "social only 17:00-20:00", opensMs: monday)

        // The window is also closed on Friday at noon, so its start has published a decision.
        let count = try shields.decided.count
        try shields.deliver("d1", RuleDesk.begun("social-window", friday, saturday))
        #expect(try shields.note("owner/social-window") == expected)
        try shields.deliver("d2", RuleDesk.begun("social-window/off", saturday, sunday))
        try shields.deliver("d3", RuleDesk.ended("social-window", friday, saturday))
        #expect(try shields.note("owner/social-window") == expected)
        // One decision only, because nothing has changed since.
        #expect(try shields.decided.count == count + 1)
    }

    @Test("a daily window opens at the end of its stretch; one of some days names no time without a zone")
    func zone() throws {
        let words = NoticeWords(language: "en")
        let endMs = RuleDesk.wallMs(day: 21, hour: 17)
        let span = ClosedSpan(startMs: RuleDesk.wallMs(day: 20, hour: 20), endMs: endMs, delivery: "d1")
        func opens(_ spec: RuleSpec) -> Int64? {
            RuleNote.of(Rule(id: "w", spec: spec, addedMs: 0), span, words).opensMs
        }
        #expect(opens(RuleDesk.window()) == endMs)
        #expect(opens(RuleDesk.window(days: [6])) == nil)
        // As an older version wrote it down.
        let old = #"{"start_ms":1,"end_ms":2,"delivery":"d"}"#
        #expect(try ClosedSpan.decodedBody(Array(old.utf8)).zone == nil)
    }

    @Test("a goal's note has neither its words nor a time")
    func goal() throws {
        try shields.add(RuleDesk.goal(), say: "Well done")
        try shields.deliver("d1", RuleDesk.begun("code-goal"))
        #expect(try shields.note("owner/code-goal") == ShieldNote(rule: "code-goal"))

        _ = try desk.bench.ask(RuleEdit.self, .init(name: "code-goal", days: [6]))
        try shields.keep()
        #expect(try shields.note("owner/code-goal") == ShieldNote(rule: "code-goal"))
    }

    @Test("an edit of the name and the words changes the note of a shield that stays up, with one decision")
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

        let expected = ShieldNote(rule: "evenings", says: "20 min!", opensMs: RuleDesk.nextMs)
        #expect(try shields.note("owner/firefox") == expected)
        #expect(try shields.stores == ["owner/firefox": "apps firefox"])
        #expect(try shields.decided.count == 2)
    }

    @Test("a note with long names and words is cut to fit")
    func bounds() throws {
        var spec = RuleDesk.limit()
        spec.name = String(repeating: "규", count: 21)
        spec.targets = (1...3).map { RuleDesk.app(String(repeating: "앱", count: 60) + "\($0)") }
        try shields.add(spec, say: String(repeating: "{app}", count: 100))
        let id = try #require(desk.book.rules.keys.first)
        try shields.deliver("d1", RuleDesk.reached(id))

        let note = try #require(try shields.note("owner/\(id)"))
        #expect(note.rule == spec.name)
        let bytes = note.says?.utf8.count ?? 0
        #expect((ShieldNote.saysBytesMax - 4...ShieldNote.saysBytesMax).contains(bytes), "\(bytes)")
        #expect(RuleCheck.nameBytesMax == ShieldNote.ruleBytesMax)
        #expect(RuleCheck.sayBytesMax <= ShieldNote.saysBytesMax)
    }

    @Test("a note is in the language of the account, also after that changed")
    func korean() throws {
        let shields = try ShieldDesk(language: "ko_KR")
        var spec = RuleDesk.limit(minutes: 90)
        spec.targets = []
        try shields.add(spec, say: "{app} {limit}")
        try shields.deliver("d1", RuleDesk.reached("everything", minutes: 90))
        #expect(try shields.note("owner/everything")?.says == "컴퓨터 1시간 30분")

        // Started anew, it speaks English here.
        try shields.desk.reboot(wallMs: RuleDesk.noonMs + 60_000, bootMs: 1)
        try shields.keep()
        #expect(try shields.note("owner/everything")?.says == "the computer 1 h 30 min")
    }
}
