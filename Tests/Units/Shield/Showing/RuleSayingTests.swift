import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STShieldCore

@Suite("What a rule's shield says: the person's words, the rule's name, and before when it does not open")
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

    private func subtitle(_ showing: Showing, _ language: String? = nil) throws -> String? {
        try showing.show(language: language).view?.look.subtitle?.text
    }

    @Test("the words come first, on a line of their own; without any there is the rest")
    func words() throws {
        let opensMs = Self.wallMs(day: 21, hour: 7)
        var note = ShieldNote(rule: "evenings", says: "You promised", opensMs: opensMs)
        #expect(
            try subtitle(showing([Self.evenings: note]))
                == "You promised\nThis shield comes from your rule “evenings”. "
                + "The shield stays at least until tomorrow at 07:00."
        )
        #expect(
            try subtitle(showing([Self.evenings: note]), "ko_KR")
                == "You promised\n“evenings” 규칙에 따라 사용이 제한되었습니다. 차단 화면은 적어도 내일 07:00까지 유지됩니다."
        )
        note.message = nil
        #expect(
            try subtitle(showing([Self.evenings: note]))
                == "This shield comes from your rule “evenings”. The shield stays at least until tomorrow at 07:00."
        )
        note.opensMs = nil
        #expect(
            try subtitle(showing([Self.evenings: note])) == "This shield comes from your rule “evenings”."
        )
    }

    @Test("a store of an older version names the rule by its id, as it did")
    func old() throws {
        let showing = try showing([:], others: [Self.evenings: Self.shields])
        #expect(try subtitle(showing) == "This shield comes from your rule “r1”.")
    }

    @Test("what turns text around, has no end of lines or is not there at all does no harm")
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

    @Test("what is left of a downtime is what is left when it is drawn")
    func left() throws {
        let opensMs = Self.wallMs(day: 21, hour: 7)
        let note = ShieldNote(rule: "night", says: "{left} to go, {app}", opensMs: opensMs)
        let showing = try showing([Self.evenings: note])
        #expect(try subtitle(showing)?.hasPrefix("9 h to go, {app}\n") == true)
        #expect(try subtitle(showing, "ko")?.hasPrefix("9시간 to go, {app}\n") == true)
        showing.bench.time.advance(byMs: 90 * 60_000)
        #expect(try subtitle(showing)?.hasPrefix("7 h 30 min to go, {app}\n") == true)
    }

    @Test("a look is good until its words become others: tomorrow until midnight, what is left for a minute")
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
        #expect(try subtitle(minutes)?.hasPrefix("9 h\n") == true)
    }

    @Test("several causes: when the last of them ends, and nothing when one of them does not say")
    func several() throws {
        let second = Showing.store(BuiltInRules.app, "r2")
        let night = Self.wallMs(day: 21, hour: 7)
        let first = ShieldNote(rule: "first", says: "One", opensMs: Self.wallMs(hour: 23))
        let last = ShieldNote(rule: "second", says: "Two", opensMs: night)
        let both = try subtitle(showing([Self.evenings: first, second: last]))
        #expect(
            both == "One\nThis shield comes from your rule “first”. "
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

    @Test("the shield that is drawn again after more time was asked for has the words too")
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
                == "You promised\nThis shield comes from your rule “evenings”. The shield stays at least until 23:00. "
                + "Request R1 for 15 min more: will be granted at 22:01."
        )
    }
}
