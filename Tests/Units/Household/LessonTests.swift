import STBus
import STContracts
import STDomain
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STHouseholdCore

@Suite("Lessons of a teacher", .postgres)
struct LessonTests {
    private static let token = [UInt8](repeating: 9, count: 32)
    private static let minute: Int64 = 60_000
    private static let editor = TokenItem(kind: .application, id: "editor")
    private static let hours = HouseholdLessons(
        window: RuleWindow(from: "08:00", to: "15:10"),
        days: [2, 3, 4, 5, 6]
    )

    private func pair(_ home: HouseholdBench, _ lessons: HouseholdLessons? = hours) throws {
        let pairing = PhonePairing(
            name: "mrs-lee",
            by: "mum",
            isProved: true,
            members: ["anna"],
            lessons: lessons
        )
        try home.pair(pairing, Self.token)
    }

    private func act(
        _ home: HouseholdBench,
        _ deed: @escaping @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void
    ) throws {
        try home.act(Self.token, deed)
    }

    /// The code of the problem, or "ok".
    private func code(
        _ home: HouseholdBench,
        _ deed: @escaping @Sendable (HouseholdState.Device, inout HouseholdState, TimeReading) throws -> Void
    ) -> String {
        do {
            try act(home, deed)
            return "ok"
        } catch {
            return Problem(error).code
        }
    }

    private func begin(_ home: HouseholdBench, minutes: Int64 = 30, _ opens: [TokenItem] = [editor]) throws {
        let end = home.bench.time.now().wall + .milliseconds(minutes * Self.minute)
        try act(home) {
            try Lessons.begin(opens, until: end, from: $0, rules: .utc, state: &$1, now: $2)
        }
    }

    private func rules(_ home: HouseholdBench) -> [RuleSpec] {
        home.bench.state.rules["anna"]?.values.compactMap(\.spec) ?? []
    }

    @Test(
        "A lesson shields all other apps until its end, also after a restart, and is then removed",
        arguments: HouseholdGround.allCases
    )
    func goes(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        try pair(home)
        try begin(home)
        // 14:13 on a Monday.
        let spec = try #require(rules(home).first)
        #expect(spec.kind == .downtime && spec.then == .shield && spec.opens == [Self.editor])
        #expect(spec.window == RuleWindow(from: "14:13", to: "14:43") && spec.days == [2])
        // If a machine does not receive the end, the lesson does not repeat in the next week.
        #expect(spec.except?.first == "2026-09-28" && spec.onlyDay?.text == "2026-09-21")
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        #expect(rules(home).count == 1)
        // A new lesson replaces the previous one.
        try begin(home, minutes: 5, [])
        #expect(rules(home).map(\.opens) == [nil])
        // The shortest possible interval is a quarter of an hour.
        #expect(rules(home).first?.window == RuleWindow(from: "14:03", to: "14:18"))
        home.bench.time.advance(byMs: 4 * Self.minute)
        try act(home) {
            try Lessons.endExpired(&$1, $2); _ = $0
        }
        #expect(rules(home).count == 1)
        home.bench.time.advance(byMs: Self.minute)
        try act(home) {
            try Lessons.endExpired(&$1, $2); _ = $0
        }
        #expect(rules(home).isEmpty && home.bench.state.lessonEnds.isEmpty)
        try begin(home)
        try act(home) { try Lessons.end(from: $0, &$1, $2) }
        #expect(rules(home).isEmpty && home.bench.state.lessonEnds.isEmpty)
        // Removing the teacher's phone ends the lesson.
        try begin(home)
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: "mrs-lee"))
        #expect(rules(home).isEmpty && home.bench.state.lessonEnds.isEmpty)
    }

    @Test("A lesson is limited to the agreed hours, and a teacher's phone is limited to lessons")
    func only() throws {
        let home = try HouseholdBench()
        try pair(home)
        let now = home.bench.time.now().wall
        for (later, wanted) in [
            (-1, "phone.bad_end"), (0, "phone.bad_end"), (57, "phone.bad_end"), (56, "ok"),
        ] as [(Int64, String)] {
            let found = begin(home, until: now + .milliseconds(later * Self.minute))
            #expect(found == wanted, "\(later)")
        }
        let many = Array(repeating: Self.editor, count: 51)
        #expect(begin(home, many, until: now + .milliseconds(1)) == "phone.too_many_things")
        let games = [TokenItem(kind: .category, id: "games")]
        #expect(begin(home, games, until: now + .milliseconds(1)) == "rule.bad_targets")
        #expect(
            code(home) { try Phones.grant("anna", for: .seconds(60), from: $0, state: &$1, now: $2) }
                == "phone.not_theirs"
        )
        #expect(
            code(home) { try Phones.setStopped("anna", isStopped: true, from: $0, state: &$1, now: $2) }
                == "phone.not_theirs"
        )
        #expect(
            code(home) { try Phones.answer("x", for: nil, because: nil, from: $0, state: &$1, now: $2) }
                == "phone.teachers"
        )
        #expect(code(home) { try Phones.revoke("x", from: $0, state: &$1, now: $2) } == "phone.teachers")
        // 15:11, and a Saturday.
        for days in [0, 5] as [Int64] {
            home.bench.time.advance(byMs: days * 86_400_000 + 58 * Self.minute)
            let end = home.bench.time.now().wall + .milliseconds(Self.minute)
            let found = begin(home, until: end)
            #expect(found == "phone.outside_hours")
        }
        let guardian = try HouseholdBench()
        try pair(guardian, nil)
        #expect(begin(guardian, until: now + .milliseconds(1)) == "phone.no_class")
    }

    /// Returns the code of the refusal of a lesson, or "ok".
    private func begin(_ home: HouseholdBench, _ items: [TokenItem] = [], until end: WallTime) -> String {
        code(home) { try Lessons.begin(items, until: end, from: $0, rules: .utc, state: &$1, now: $2) }
    }

    @Test("A teacher sees the foreground apps during a lesson, and no other usage of the day")
    func page() throws {
        let home = try HouseholdBench()
        try pair(home)
        var open = MachineStream.segment(1)
        open.presence = .active
        _ = try home.push(
            0,
            MachineStream().request(0..<0, open: [OpenUsageInterval(segment: open, agoMs: 0)])
        )
        var shown = try home.bench.ask(HouseholdShow.self, Empty()).devices
        for place in shown.indices { shown[place].isConnected = true }
        var used = HouseholdSums.Sum(ms: 60_000)
        used.app = "game"
        func page() throws -> PhonePage {
            let state = home.bench.state
            let phone = try Phones.phone(token: Self.token, state)
            return Phones.page(of: phone, used: [used], shown: shown, state, home.bench.time.now())
        }
        let before = try page()
        #expect(before.teaches?.apps == ["game"] && before.teaches?.lessonEndMs == nil)
        #expect(before.people.map(\.member) == ["anna"] && before.people[0].now.isEmpty)
        try begin(home)
        let during = try page()
        #expect(during.people[0].now.map(\.app) == ["game"] && during.people[0].usedMs == 0)
        #expect(during.teaches?.opens == [Self.editor] && during.people[0].open.isEmpty)
    }

    @Test("A pupil cannot end a lesson from any machine")
    func holds() throws {
        let home = try HouseholdBench()
        try pair(home)
        try begin(home)
        home.bench.remote = .device(home.devices[0])
        let stands = try #require(home.bench.state.rules["anna"]?.values.first { $0.spec != nil })
        var gone = stands
        (gone.spec, gone.by) = (nil, "mum")
        let asked = HouseholdRules.Request(members: ["anna"], changes: [gone], known: [], children: [])
        let reply = try home.bench.ask(HouseholdRules.self, asked)
        #expect(reply.rules.map(\.spec) == [stands.spec])
        home.bench.remote = nil
        try act(home) { try Lessons.end(from: $0, &$1, $2) }
        #expect(rules(home).isEmpty)
        // A machine that was offline does not restore the lesson either.
        var late = stands
        late.spec?.say = "hi"
        home.bench.remote = .device(home.devices[0])
        let again = HouseholdRules.Request(members: ["anna"], changes: [late], known: [], children: [])
        _ = try home.bench.ask(HouseholdRules.self, again)
        #expect(rules(home).isEmpty)
    }

    @Test("The apps of a class are those that it used during its hours")
    func apps() throws {
        func used(_ app: String, _ hour: Int64, _ ms: Int64) -> HouseholdSums.Sum {
            var sum = HouseholdSums.Sum(ms: ms)
            (sum.app, sum.hour) = (app, hour)
            return sum
        }
        // Lessons are from 08:00 to 15:10.
        let all = [
            used("a", 8, 5), used("b", 15, 20), used("a", 9, 5), used("game", 7, 99), used("game", 16, 99),
        ]
        #expect(Lessons.apps(all, at: Self.hours).map { "\($0.app ?? "") \($0.ms)" } == ["b 20", "a 10"])
    }

    @Test("A lesson applies to pupils who join the class, and ends for those who leave it")
    func classes() throws {
        let home = try HouseholdBench()
        let number = try home.knock(try home.invite(), name: "tablet", accounts: [("ben", "ben")])
        _ = try home.bench.ask(HouseholdConfirm.self, .init(number: number))
        func taught() -> [String] {
            home.bench.state.rules.filter { $0.value.values.contains { $0.spec != nil } }.keys.sorted()
        }
        func take(_ pupils: [String]) throws {
            try act(home) { device, state, _ in try Lessons.setClass(pupils, of: device, &state) }
        }
        try pair(home)
        try begin(home)
        #expect(taught() == ["anna"])
        // The household has no member cleo.
        try take(["ben", "anna", "cleo"])
        #expect(
            try Phones.phone(token: Self.token, home.bench.state).accounts.map(\.member) == ["anna", "ben"]
        )
        #expect(taught() == ["anna", "ben"])
        try take(["ben"])
        try begin(home)
        #expect(taught() == ["ben"])
        try act(home) { try Lessons.end(from: $0, &$1, $2) }
        try take([])
        let end = home.bench.time.now().wall + .milliseconds(Self.minute)
        #expect(
            code(home) { try Lessons.begin([], until: end, from: $0, rules: .utc, state: &$1, now: $2) }
                == "phone.no_pupils"
        )
    }

    @Test("The hours of lessons follow local time, also on a day with a clock change")
    func clocks() throws {
        let berlin = try #require(ZoneRules.load("Europe/Berlin"))
        let lessons = HouseholdLessons(window: RuleWindow(from: "08:00", to: "13:00"))
        // On 25 October 2026, the clock is set back at three.
        for (text, isIn) in [
            ("2026-10-25T06:59:59Z", false), ("2026-10-25T07:00:00Z", true), ("2026-10-25T11:59:59Z", true),
            ("2026-10-25T12:00:00Z", false), ("2026-10-24T06:00:00Z", true), ("2026-10-24T05:59:59Z", false),
        ] {
            let now = WallTime(ms: try #require(RFC3339.wallMs(text)))
            let end = Lessons.hoursEnd(lessons, berlin, at: now)
            #expect((end != nil) == isIn, "\(text)")
            if let end { #expect(berlin.localMs(atMs: end.ms) % 86_400_000 == 13 * 3_600_000) }
        }
        let all = HouseholdLessons(window: RuleWindow(from: "00:00", to: "00:00"))
        #expect(Lessons.hoursEnd(all, berlin, at: WallTime(ms: 0)) == WallTime(ms: 23 * 3_600_000))
    }
}
