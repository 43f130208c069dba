import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Routes of rules")
struct RuleRouteTests {
    private let desk: RuleDesk

    init() throws { desk = try RuleDesk() }

    private func list(_ request: RuleList.Request = .init()) throws -> [String] {
        try desk.bench.ask(RuleList.self, request).rules.map { $0.rule.name ?? "" }
    }

    @Test("A new rule is completed, shows its next interval, and survives a restart")
    func add() throws {
        var spec = RuleDesk.downtime()
        spec.days = [6, 1, 2, 2]
        spec.say = "Bed in {left}"

        let reply = try desk.add(spec)

        #expect(reply.rule.id == "downtime")
        #expect(reply.rule.rule.member == "owner")
        #expect(reply.rule.rule.then == .notify)
        #expect(reply.rule.rule.days == [1, 2, 6])
        #expect(reply.rule.when == "next: Fri 20 Nov 21:30 to Sat 21 Nov 07:00 (9 h 30 min)")
        #expect(reply.rule.interval?.startWallMs == RuleDesk.wallMs(day: 20, hour: 21, minute: 30))
        #expect(reply.rule.isWatched)
        #expect(reply.notes.isEmpty)
        let before = desk.book
        try desk.restart()
        #expect(desk.book == before)
        #expect(try desk.bench.ask(RuleList.self, .init()).rules == [reply.rule])
    }

    @Test("A teacher's lesson cannot be paused here, and a member's own rule can")
    func lesson() throws {
        var spec = RuleDesk.downtime("11:00", "14:00")
        (spec.name, spec.then) = ("lesson mrs-lee", .shield)
        let heard = HouseholdRule(id: HouseholdRule.lesson(of: "x"), member: "owner", version: 1, spec: spec)
        let follow = RuleFollow.Request(household: "h", members: ["owner"], heard: [heard])
        _ = try desk.bench.ask(RuleFollow.self, follow)
        try desk.add(RuleDesk.limit())
        #expect(try list().contains("lesson mrs-lee"))
        func code(_ name: String, _ forMs: Int64) throws -> String? {
            try desk.bench.refusal(RulePause.self, .init(name: name, forMs: forMs))?.code
        }
        #expect(try code("lesson mrs-lee", 3_600_000) == "rule.lesson")
        #expect(try code("lesson mrs-lee", 0) == nil)
        #expect(try code("firefox", 3_600_000) == nil)
    }

    @Test("A rule without a name gets one that is easy to type and unique")
    func names() throws {
        var names: [String] = []
        for spec in [
            RuleDesk.limit("org.mozilla.Firefox"), RuleDesk.limit("com.example.Firefox"), RuleDesk.downtime(),
            RuleDesk.downtime("12:00", "13:00"), RuleDesk.window(), RuleDesk.goal(),
            RuleSpec(kind: .allow, targets: [RuleDesk.app("Mail")]),
            RuleSpec(kind: .limit, durationMs: 60_000),
            RuleDesk.limit("my app/x"), RuleDesk.limit(String(repeating: "앱", count: 60)),
        ] {
            names.append(try desk.add(spec).rule.id)
        }

        #expect(
            names.prefix(9) == [
                "firefox", "firefox-2", "downtime", "downtime-2", "social-window", "code-goal",
                "mail-allowed",
                "everything", "my-app-x",
            ]
        )
        #expect(names.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test("A child's rule shields unless the request says otherwise")
    func child() throws {
        var spec = RuleDesk.limit()
        spec.member = "kid"
        let first = try desk.add(spec)
        spec.targets = [RuleDesk.app("other")]
        spec.then = .notify
        let second = try desk.add(spec)

        #expect(first.rule.rule.then == .shield)
        #expect(first.rule.isShielding == false && first.notes.isEmpty)
        #expect(second.rule.rule.then == .notify)
        #expect(second.notes.isEmpty)
    }

    @Test("A session with sites only notes that the browser is shielded, and one with the browser does not")
    func notes() throws {
        let site = try desk.add(
            RuleSpec(kind: .limit, targets: [TokenItem(kind: .domain, id: "Reddit.com.")], durationMs: 60_000)
        )
        let allow = try desk.add(RuleSpec(kind: .allow, targets: [RuleDesk.app("mail")]))
        var session = RuleSpec(
            kind: .session,
            name: "alone",
            targets: [TokenItem(kind: .domain, id: "docs.python.org")],
            durationMs: 600_000
        )
        #expect(try desk.add(session).notes.map(\.code) == ["rule.browser_shielded"])
        session.name = "both"
        session.targets.append(RuleDesk.app("firefox"))
        #expect(try desk.add(session).notes.isEmpty)

        #expect(site.notes.isEmpty)
        #expect(site.rule.rule.targets.map(\.id) == ["reddit.com"])
        #expect(allow.notes.isEmpty)
        #expect(allow.rule.isWatched)
    }

    @Test("An edit changes the fields that it contains, clears empty ones, and keeps the others")
    func edit() throws {
        var spec = RuleDesk.limit()
        spec.say = "Enough"
        spec.warnMs = 60_000
        spec.days = [2]
        try desk.add(spec)

        let first = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", durationMs: 2_700_000)).rule
        let second = try desk.bench.ask(
            RuleEdit.self,
            .init(name: "Firefox", newName: "evening", days: [], warnMs: 0, say: "")
        ).rule

        #expect(first.rule.durationMs == 2_700_000)
        #expect(first.rule.say == "Enough" && first.rule.warnMs == 60_000 && first.rule.days == [2])
        #expect(second.id == "firefox" && second.rule.name == "evening")
        #expect(second.rule.say == nil && second.rule.warnMs == nil && second.rule.days == nil)
        #expect(try list() == ["evening"])
        // The warning is removed if the new limit is shorter than the warning.
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "evening", warnMs: 300_000))
        let short = try desk.bench.ask(RuleEdit.self, .init(name: "evening", durationMs: 60_000)).rule.rule
        #expect(short.durationMs == 60_000 && short.warnMs == nil)
        // The first rule keeps its id.
        spec.targets = [RuleDesk.app("other")]
        spec.name = "firefox"
        #expect(try desk.add(spec).rule.id == "firefox-2")
    }

    @Test("An edit that would make the rule invalid changes nothing")
    func badEdit() throws {
        try desk.add(RuleDesk.limit())
        let before = desk.book

        for edit in [
            RuleEdit.Request(name: "firefox", durationMs: 0),
            .init(name: "firefox", window: .init(from: "1", to: "2")),
            .init(name: "firefox", newName: "a/b"),
            .init(name: "firefox", targets: [TokenItem(kind: .category, id: "x")]),
            .init(name: "firefox", warnMs: 1_800_000), .init(name: "firefox", say: "{words}"),
            .init(name: "firefix"),
        ] {
            #expect(try desk.bench.refusal(RuleEdit.self, edit) != nil, "\(edit)")
        }
        #expect(desk.book == before)
    }

    @Test("An unknown rule name is refused with the most similar known one")
    func notFound() throws {
        try desk.add(RuleDesk.limit())
        var other = RuleDesk.limit("chess")
        other.name = "org-example"
        try desk.add(other)

        let problem = try desk.bench.refusal(RuleRemove.self, .init(name: "firefix"))

        #expect(problem?.code == "rule.not_found")
        #expect(problem?.message.contains("Did you mean firefox?") == true)
        let word = try desk.bench.refusal(RuleRemove.self, .init(name: "org"))
        #expect(word?.message.contains("Did you mean org-example?") == true)
    }

    @Test("Lists of rules are sorted, and can be filtered by kind and member")
    func lists() throws {
        try desk.add(RuleDesk.limit("z"))
        try desk.add(RuleDesk.downtime())
        var spec = RuleDesk.limit("a")
        spec.member = "kid"
        try desk.add(spec)

        #expect(try list() == ["a", "downtime", "z"])
        #expect(try list(.init(kind: .limit)) == ["a", "z"])
        #expect(try list(.init(kind: .limit, member: "kid")) == ["a"])
        #expect(try desk.bench.refusal(RuleList.self, .init(kind: .unknown))?.code == "body.unknown_value")
    }

    @Test(
        "A rule with equal targets is refused with the edit command, unless its days differ"
    )
    func twins() throws {
        try desk.add(RuleDesk.limit())

        let problem = try desk.refusal(RuleDesk.limit(minutes: 45))
        var weekend = RuleDesk.limit(minutes: 90)
        weekend.days = [1, 7]
        var named = RuleDesk.limit("other")
        named.name = "FIREFOX"

        #expect(problem?.code == "rule.exists")
        #expect(problem?.help == "screentime limit edit firefox 45m")
        #expect(try desk.refusal(weekend) == nil)
        #expect(try desk.refusal(named)?.field == "/name")
    }

    @Test("The numbers of rules and activities are limited, but a guardian's stop is always added")
    func tooMany() throws {
        for number in 0..<98 { try desk.add(window(number)) }
        for number in 0..<3 { try desk.add(RuleDesk.limit("app\(number)")) }

        // The window needs two activities, and only one is free.
        let problem = try desk.refusal(window(98))
        try desk.add(RuleDesk.limit("last"))

        #expect(problem?.code == "rule.too_many")
        #expect(try desk.refusal(RuleDesk.limit("one.more"))?.code == "rule.too_many")
        // The number of rules without activities is limited too.
        for number in 0..<98 {
            try desk.add(RuleSpec(kind: .allow, targets: [RuleDesk.app("mail\(number)")]))
        }
        #expect(
            try desk.refusal(RuleSpec(kind: .allow, targets: [RuleDesk.app("mail")]))?.code == "rule.too_many"
        )
        #expect(desk.book.rules.count == RuleState.rulesMax)
        // A guardian's stop is added beyond the limit.
        let spec = RuleDesk.downtime("00:00", "00:00")
        let stop = HouseholdRule(id: HouseholdRule.stop, member: "owner", version: 1, spec: spec)
        let follow = RuleFollow.Request(household: "h", members: ["owner"], heard: [stop])
        #expect(try desk.bench.ask(RuleFollow.self, follow).aside.isEmpty)
        #expect(desk.book.rules.count == RuleState.rulesMax + 1)
    }

    private func window(_ number: Int) -> RuleSpec {
        var spec = RuleDesk.window(days: [2])
        spec.targets = [RuleDesk.app("app\(number)")]
        return spec
    }

    @Test("A rule for an unknown member is refused, and rules cannot be added without auth-service")
    func members() throws {
        var spec = RuleDesk.limit()
        spec.member = "kit"
        let problem = try desk.refusal(spec)

        #expect(problem?.code == "member.unknown")
        #expect(problem?.message.contains("Did you mean kid?") == true)
        desk.bench.otherService = { _, _ in throw Problem("unavailable", "", retryable: true) }
        #expect(try desk.refusal(RuleDesk.limit())?.retryable == true)
    }

    @Test("A pause ends at its time or on request, and an invalid length is refused")
    func pause() throws {
        try desk.add(RuleDesk.limit())

        let paused = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 3_600_000)).rule
        #expect(paused.pausedUntil == RFC3339.text(wallMs: RuleDesk.noonMs + 3_600_000))
        desk.bench.time.advance(byMs: 3_600_000)
        #expect(try desk.bench.ask(RuleList.self, .init()).rules[0].pausedUntil == nil)

        #expect(
            try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 60_000)).rule.pausedUntil != nil
        )
        #expect(try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: 0)).rule.pausedUntil == nil)
        for ms in [-1, Int64.max] {
            #expect(
                try desk.bench.refusal(RulePause.self, .init(name: "firefox", forMs: ms))?.code
                    == "rule.bad_pause"
            )
        }
    }
}
