import STContracts
import STDomain
import STPlatform
import STRules
import Testing

@testable import STActivityCore

@Suite("Refused rules")
struct RuleCheckTests {
    private let desk: RuleDesk

    init() throws { desk = try RuleDesk() }

    private func refused(_ spec: RuleSpec, code: String, field: String?) throws {
        let problem = try desk.refusal(spec)
        #expect(problem?.code == code)
        #expect(problem?.field == field)
        #expect(problem.map { !$0.message.isEmpty } == true)
        #expect(desk.book.rules.isEmpty)
    }

    @Test(
        "A limit's duration must be in whole seconds, from one second to one day",
        arguments: [
            nil, 0, -1, 999, 1_500, 86_400_001, Int64.max, Int64.min,
        ]
    )
    func durations(ms: Int64?) throws {
        var spec = RuleDesk.limit()
        spec.durationMs = ms
        try refused(spec, code: "rule.bad_duration", field: "/duration_ms")
    }

    @Test(
        "A weekend amount must be valid, and the rule must apply on weekdays and weekends",
        arguments: [
            ([2, 3, 4, 5, 6], 3_600_000, "rule.bad_weekend", "/weekend_ms"),
            ([1, 7], 3_600_000, "rule.bad_weekend", "/weekend_ms"),
            (nil, 1, "rule.bad_duration", "/weekend_ms"),
            (nil, Int64.min, "rule.bad_duration", "/weekend_ms"),
            (nil, 60_000, "rule.bad_warning", "/warn_ms"),
        ] as [([Int]?, Int64, String, String)]
    )
    func weekends(_ days: [Int]?, ms: Int64, code: String, field: String) throws {
        var spec = RuleDesk.limit()
        (spec.days, spec.weekendMs, spec.warnMs) = (days, ms, 300_000)
        try refused(spec, code: code, field: field)
    }

    @Test(
        "A warning must be in whole seconds and shorter than the limit",
        arguments: [
            1, -60_000, 1_800_000, Int64.max,
        ]
    )
    func warnings(ms: Int64) throws {
        var spec = RuleDesk.limit()
        spec.warnMs = ms
        try refused(spec, code: "rule.bad_warning", field: "/warn_ms")
    }

    @Test(
        "A window needs two different, valid times",
        arguments: [
            ("21:30", "21:30"), ("9", "10"), ("", ""), ("24:00", "00:00"), ("21:30", "25:00"),
        ]
    )
    func windows(from: String, to: String) throws {
        try refused(RuleDesk.downtime(from, to), code: "rule.bad_window", field: "/window")
    }

    @Test("A downtime can last all day and have a warning, but a window cannot last all day")
    func allDay() throws {
        var spec = RuleDesk.downtime("00:00", "00:00")
        spec.warnMs = 300_000
        let kid = Member(name: "kid", role: .child)
        let plan = RulePlan.activities(of: Rule(id: "r", spec: spec, added: WallTime(ms: 0)))
        #expect(try RuleCheck.checked(spec, for: kid).warnMs == 300_000)
        spec.window?.to = "24:00"
        #expect(try RuleCheck.checked(spec, for: kid).warnMs == 300_000)
        #expect(plan.first?.schedule.start == plan.first?.schedule.end)
        spec.kind = .window
        spec.targets = [TokenItem(kind: .application, id: "steam")]
        try refused(spec, code: "rule.bad_window", field: "/window")
    }

    @Test("A rule with too short an interval is refused with how the rule was read")
    func short() throws {
        let problem = try #require(try desk.refusal(RuleDesk.downtime("21:30", "21:40")))

        #expect(problem.code == "activity.interval_too_short")
        #expect(problem.field == "/window")
        #expect(problem.message.contains("21:30 to 21:40"))
        // The rest of the day is too short for an activity.
        #expect(try desk.refusal(RuleDesk.window("08:00", "07:50"))?.code == "activity.interval_too_short")
    }

    @Test("A rule's days must be numbers from 1 to 7", arguments: [[0], [8], [1, -1], [Int.max]])
    func days(days: [Int]) throws {
        var spec = RuleDesk.limit()
        spec.days = days
        try refused(spec, code: "rule.bad_days", field: "/days")
    }

    @Test(
        "A rule's exception days must be valid dates, at most 200",
        arguments: [["2026-02-30"], [""], ["25.12.2026"], ["2026-12-25", "x"]]
    )
    func exceptions(dates: [String]) throws {
        var spec = RuleDesk.limit()
        spec.except = dates
        try refused(spec, code: "rule.bad_dates", field: "/except")
        spec.except = (0...200).map { CivilDate(year: 2026, month: 12, day: 1).adding(days: $0).text }
        try refused(spec, code: "rule.bad_dates", field: "/except")
    }

    @Test("A field that the rule's kind does not use is refused")
    func unused() throws {
        var limit = RuleDesk.limit()
        limit.window = RuleWindow(from: "17:00", to: "20:00")
        try refused(limit, code: "rule.field_unused", field: "/window")
        var downtime = RuleDesk.downtime()
        downtime.targets = [RuleDesk.app("a")]
        try refused(downtime, code: "rule.field_unused", field: "/targets")
        var allow = RuleSpec(kind: .allow, targets: [RuleDesk.app("a")])
        allow.say = "words"
        try refused(allow, code: "rule.field_unused", field: "/say")
        var window = RuleDesk.window()
        window.opens = [RuleDesk.app("a")]
        try refused(window, code: "rule.field_unused", field: "/opens")
        try refused(RuleSpec(kind: .unknown), code: "body.unknown_value", field: "/kind")
    }

    @Test("A rule with too few or too many targets for its kind is refused")
    func targets() throws {
        try refused(RuleSpec(kind: .allow), code: "rule.bad_targets", field: "/targets")
        var goal = RuleDesk.goal()
        goal.opens = []
        try refused(goal, code: "rule.bad_targets", field: "/opens")
        goal.opens = nil
        try refused(goal, code: "rule.bad_targets", field: "/opens")
        var window = RuleDesk.window()
        window.targets = []
        try refused(window, code: "rule.bad_targets", field: "/targets")
        var many = RuleDesk.limit()
        many.targets = (0..<51).map { RuleDesk.app("a\($0)") }
        try refused(many, code: "rule.bad_targets", field: "/targets")
    }

    @Test(
        "Invalid names of apps, categories and sites are refused",
        arguments: [
            (TokenKind.application, "", "rule.bad_targets"), (.application, " ", "rule.bad_targets"),
            (.application, "a\u{0}b", "rule.bad_targets"),
            (.application, String(repeating: "a", count: 257), "rule.bad_targets"),
            (.category, "Social", "category.unknown"), (.category, "", "category.unknown"),
            (.domain, "https://reddit.com", "rule.bad_targets"),
            (.domain, "reddit.com/r/linux", "rule.bad_targets"),
            (.domain, "reddit.com:443", "rule.bad_targets"), (.domain, "*.reddit.com", "rule.bad_targets"),
            (.domain, "reddit", "rule.bad_targets"), (.domain, ".com", "rule.bad_targets"),
            (.domain, "a..b", "rule.bad_targets"), (.domain, "-a.com", "rule.bad_targets"),
            (.domain, "münchen.de", "rule.bad_targets"),
            (.domain, String(repeating: "a.", count: 130) + "com", "rule.bad_targets"),
        ]
    )
    func names(kind: TokenKind, id: String, code: String) throws {
        let spec = RuleSpec(kind: .limit, targets: [TokenItem(kind: kind, id: id)], durationMs: 60_000)
        try refused(spec, code: code, field: "/targets/0")
    }

    @Test("An unknown category is refused with the most similar known one")
    func category() throws {
        let spec = RuleSpec(kind: .allow, targets: [TokenItem(kind: .category, id: "socal")])

        #expect(try desk.refusal(spec)?.message.contains("Did you mean social?") == true)
    }

    @Test(
        "A rule's name that is empty, too long or hard to type is refused",
        arguments: [
            "", " a", "a ", "-a", "a/b", "a\u{7}", String(repeating: "n", count: 65),
        ]
    )
    func ruleNames(name: String) throws {
        var spec = RuleDesk.limit()
        spec.name = name
        try refused(spec, code: "rule.bad_name", field: "/name")
    }

    @Test(
        "A message that is too long or has control characters or unknown placeholders is refused",
        arguments: [
            String(repeating: "w", count: 501), "a\u{1B}[2J", "{name}", "You used {Used}", "{left", "{}",
        ]
    )
    func say(words: String) throws {
        var spec = RuleDesk.limit()
        spec.say = words
        // A brace without a closing brace is plain text.
        if words == "{left" {
            #expect(try desk.refusal(spec) == nil)
        } else {
            try refused(spec, code: "rule.bad_words", field: "/say")
        }
    }

    @Test("A downtime's message can contain {left} and {limit}, but not {used}")
    func downtimeWords() throws {
        var spec = RuleDesk.downtime()
        spec.say = "{used}"
        let problem = try desk.refusal(spec)

        #expect(problem?.message.contains("{left}, {limit}") == true)
        spec.say = "{left} of {limit}"
        #expect(try desk.refusal(spec) == nil)
    }
}
