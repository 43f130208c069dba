import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Text on the shields of rules")
struct RuleSayingTests {
    /// Friday, 2026-11-20, in Berlin.
    private static func wallMs(day: Int = 20, hour: Int, minute: Int = 0) -> Int64 {
        let days = CivilDate(year: 2026, month: 11, day: day).daysSinceEpoch
        return Int64(days) * 86_400_000 + Int64((hour - 1) * 60 + minute) * 60_000
    }

    private static let evenings = Showing.store(BuiltInRules.app, "r1")
    private static let shields = StoreShields(apps: [Showing.game])

    private func showing(
        _ notes: [StoreName: ShieldNote],
        at wallMs: Int64 = wallMs(hour: 22),
        others: [StoreName: StoreShields] = [:]
    ) throws -> Showing {
        let stores = notes.mapValues { _ in Self.shields }.merging(others) { first, _ in first }
        let time = SimulatedTimeSource(wallMs: wallMs, zone: "Europe/Berlin")
        return try Showing(stores, apps: [:], notes: notes, time: time)
    }

    private func title(_ showing: Showing, _ language: String? = nil) throws -> String? {
        try showing.show(language: language).view?.look.title?.text
    }

    private func subtitle(_ showing: Showing, _ language: String? = nil) throws -> String? {
        try showing.show(language: language).view?.look.subtitle?.text
    }

    @Test("A rule's shield has the person's text as its title, and the rule and its end as its subtitle")
    func words() throws {
        let opensMs = Self.wallMs(day: 21, hour: 7)
        var note = ShieldNote(rule: "evenings", says: "You promised", opensMs: opensMs)
        #expect(try title(showing([Self.evenings: note])) == "You promised")
        #expect(
            try subtitle(showing([Self.evenings: note]))
                == "This shield comes from your rule “evenings”. "
                + "The shield stays at least until tomorrow at 07:00."
        )
        #expect(try title(showing([Self.evenings: note]), "ko_KR") == "You promised")
        #expect(
            try subtitle(showing([Self.evenings: note]), "ko_KR")
                == "“evenings” 규칙에 따라 사용이 제한되었습니다. 차단 화면은 적어도 내일 07:00까지 유지됩니다."
        )
        let long = String(repeating: "You promised. ", count: 6)
        note.message = long
        #expect(try title(showing([Self.evenings: note])) == "org.game is shielded")
        #expect(
            try subtitle(showing([Self.evenings: note]))?.hasPrefix(long + "\nThis shield comes from") == true
        )
        note.message = nil
        #expect(
            try subtitle(showing([Self.evenings: note]))
                == "This shield comes from your rule “evenings”. The shield stays at least until tomorrow at 07:00."
        )
        #expect(try title(showing([Self.evenings: note])) == "org.game is shielded")
        note.opensMs = nil
        #expect(
            try subtitle(showing([Self.evenings: note])) == "This shield comes from your rule “evenings”."
        )
    }

    @Test("A shield states the reason for which its rule shields the app")
    func reasons() throws {
        for (reason, title, text) in [
            (
                ShieldReason.limit(.seconds(1_800)), "org.game is shielded",
                "You have used org.game for 30 min today, which is your limit."
            ),
            (
                .sharedLimit(.seconds(3_600)), "org.game is shielded",
                "The time of your limit “evenings” is used up: 1 h today."
            ),
            (.downtime(hours: "22:00-06:00"), "org.game is shielded", "It is your downtime (22:00-06:00)."),
            (
                .window(hours: "17:00-20:00"), "org.game is shielded",
                "Allowed hours of org.game: 17:00-20:00."
            ),
            (
                .break(used: .seconds(3_000), rest: .seconds(300)), "Time for a break of 5 min",
                "You have used the computer for 50 min without a break."
            ),
            (.session, "org.game is shielded", "Your focus session “evenings” shields org.game."),
            (.goal, "org.game is shielded", "org.game opens once you reach your goal “evenings”."),
        ] {
            let note = ShieldNote(rule: "evenings", reason: reason)
            #expect(ShieldNote(note.json) == note)
            let showing = try showing([Self.evenings: note])
            #expect(try self.title(showing) == title)
            #expect(try subtitle(showing) == text)
        }
    }

    @Test(
        "A reason that is unknown or incomplete, or whose hours contain other text, is ignored",
        arguments: [
            #"{"kind":"moon"}"#, #"{"kind":1}"#, "[]", "7", #"{"kind":"limit"}"#,
            #"{"kind":"limit","used_ms":-1}"#, #"{"kind":"break","used_ms":1}"#, #"{"kind":"downtime"}"#,
            #"{"kind":"downtime","hours":"<b>22:00</b>"}"#,
            #"{"kind":"window","hours":"17:00-20:00 17:00-20:00"}"#,
        ]
    )
    func wrongReason(_ text: String) throws {
        let reason = try JSONValue(text: Array(text.utf8))
        let note = try #require(ShieldNote(["rule": "evenings", "reason": reason]))
        #expect(note == ShieldNote(rule: "evenings"))
    }

    @Test("A shield names its rule by id if the rule's store has no note")
    func old() throws {
        let showing = try showing([:], others: [Self.evenings: Self.shields])
        #expect(try subtitle(showing) == "This shield comes from your rule “r1”.")
    }

    @Test("A rule's text and name lose control characters, extra lines are cut, and blank text is ignored")
    func hostile() throws {
        let says = "a\u{202E}b\u{7}\r\n" + String(repeating: "\n", count: 30)
        let note = ShieldNote(rule: "x\u{202E}y\nz", says: says)
        let text = try #require(try subtitle(showing([Self.evenings: note])))
        #expect(text.hasPrefix("ab\n"))
        #expect(text.hasSuffix("This shield comes from your rule “xy z”."))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 11)
        let blank = ShieldNote(rule: "x", says: " \n\u{7}")
        #expect(
            try subtitle(showing([Self.evenings: blank])) == "This shield comes from your rule “x”."
        )
    }

    @Test("The placeholder `{left}` becomes the time that is left when the shield is drawn")
    func left() throws {
        let opensMs = Self.wallMs(day: 21, hour: 7)
        let note = ShieldNote(rule: "night", says: "{left} to go, {app}", opensMs: opensMs)
        let showing = try showing([Self.evenings: note])
        #expect(try title(showing) == "9 h to go, {app}")
        #expect(try title(showing, "ko") == "9시간 to go, {app}")
        showing.bench.time.advance(byMs: 90 * 60_000)
        #expect(try title(showing) == "7 h 30 min to go, {app}")
    }

    @Test(
        "A shield's text is valid until midnight if it says “tomorrow”, and until the next minute with `{left}`"
    )
    func goodUntil() throws {
        let midnight = Self.wallMs(day: 21, hour: 0)
        let seven = Self.wallMs(day: 21, hour: 7)
        let plain = ShieldNote(rule: "night", opensMs: seven)
        let night = try showing([Self.evenings: plain])
        #expect(try night.show().view?.goodUntilMs == midnight)
        night.bench.time.advance(byMs: midnight - night.bench.time.now().wallMs)
        let morning = try #require(try night.show().view)
        #expect(morning.goodUntilMs == nil)
        #expect(morning.look.subtitle?.text.hasSuffix("The shield stays at least until 07:00.") == true)

        let limit = ShieldNote(rule: "limit", opensMs: midnight)
        #expect(try showing([Self.evenings: limit]).show().view?.goodUntilMs == nil)
        let left = ShieldNote(rule: "night", says: "{left}", opensMs: seven)
        let minutes = try showing([Self.evenings: left], at: Self.wallMs(hour: 22) + 15_000)
        #expect(try minutes.show().view?.goodUntilMs == Self.wallMs(hour: 22, minute: 1))
        #expect(try title(minutes) == "9 h")
    }

    @Test("A shield with several causes states the last end, and no end if one cause has none")
    func several() throws {
        let second = Showing.store(BuiltInRules.app, "r2")
        let night = Self.wallMs(day: 21, hour: 7)
        let first = ShieldNote(rule: "first", says: "One", opensMs: Self.wallMs(hour: 23))
        let last = ShieldNote(rule: "second", says: "Two", opensMs: night)
        let both = try subtitle(showing([Self.evenings: first, second: last]))
        #expect(
            both == "This shield comes from your rule “first”. "
                + "The shield stays at least until tomorrow at 07:00."
        )
        let goal = ShieldNote(rule: "goal")
        #expect(
            try subtitle(showing([Self.evenings: first, second: goal]))?.contains(
                "The shield stays at least"
            ) == false
        )
        let app = [Showing.store("an.app"): Self.shields]
        #expect(
            try subtitle(showing([Self.evenings: first], others: app))?.contains(
                "The shield stays at least"
            ) == false
        )
    }

    @Test("A shield that is drawn again after a request for more time still states its rule and end")
    func again() throws {
        let note = ShieldNote(rule: "evenings", says: "You promised", opensMs: Self.wallMs(hour: 23))
        let showing = try showing([Self.evenings: note])
        showing.answer(nil, press: PressCall.Reply(isForMore: true))
        showing.bench.otherService = { _, _ in
            let members = [
                Member(name: Showing.member, role: .individual), Member(name: "mum", role: .guardian),
            ]
            return try MemberList.Reply(device: Device(id: "d", name: "d"), members: members).encodedBody()
        }
        let reply = try showing.press(try showing.show().shield, button: .secondary, press: 1)
        #expect(
            reply.view?.look.subtitle?.text
                == "This shield comes from your rule “evenings”. The shield stays at least until 23:00. "
                + "Request R1 for 15 min more: will be granted at 22:01."
        )
    }
}
