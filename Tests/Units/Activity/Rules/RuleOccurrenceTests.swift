import STContracts
import STDomain
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Occurrences of rules")
struct RuleOccurrenceTests {
    private let desk: RuleDesk

    init() throws { desk = try RuleDesk() }

    private func reached(_ rule: String = "firefox", dueMs: Int64 = RuleDesk.noonMs) -> ActivityOccurrence {
        RuleDesk.occurrence(
            rule,
            .thresholdReached,
            event: "used",
            dueMs: dueMs,
            countedMs: 1_800_000,
            thresholdMs: 1_800_000
        )
    }

    @Test("A reached limit notifies its member with the rule's own message")
    func limit() throws {
        var spec = RuleDesk.limit()
        spec.say = "You promised: {used} of {limit}, {left} left, {app}. {"
        try desk.add(spec)

        let posts = try desk.deliver("d1", reached())

        #expect(posts.count == 1)
        #expect(posts[0].title == "30 min of firefox is used up")
        #expect(posts[0].body == "You promised: 30 min of 30 min, 0 s left, firefox. {")
        #expect(posts[0].id == "d1" && posts[0].cause == "d1")
        #expect(posts[0].app == "screentime.rules" && posts[0].member == "owner")
    }

    @Test(
        "A notice names apps as their desktop entries do, also after a restart",
        arguments: [("en", "30 min of Firefox is used up"), ("ko", "파이어폭스: 30분 모두 사용")]
    )
    func names(_ language: String, _ title: String) throws {
        let desk = try RuleDesk(language: language)
        let lines = ["[Desktop Entry]", "Type=Application", "Name=Firefox", "Name[ko]=파이어폭스", "Exec=firefox"]
        let entry = try #require(DesktopEntry(id: "firefox", Array(lines.joined(separator: "\n").utf8)))
        try desk.bench.step { try CategoryPublisher.updateApps(DesktopApps([entry]), state: &$0, change: $2) }
        try desk.add(RuleDesk.limit())
        #expect(try desk.deliver("d1", reached()).map(\.title) == [title])
        if language == "en" {
            try desk.restart()
            #expect(try desk.deliver("d2", reached(dueMs: RuleDesk.noonMs + 1)).map(\.title) == [title])
        }
    }

    @Test(
        "All text of a notice is Korean in a Korean session",
        arguments: [(5_400_000, "firefox, steam: 1시간 30분 모두 사용"), (20_500, "firefox, steam: 20초 모두 사용")]
    )
    func korean(thresholdMs: Int64, title: String) throws {
        let desk = try RuleDesk(language: "ko_KR")
        var spec = RuleDesk.limit()
        spec.targets.append(RuleDesk.app("steam"))
        spec.name = "firefox"
        spec.say = "{limit} 동안 썼으니 이제 산책하세요. {left}"
        try desk.add(spec)
        let occurrence = RuleDesk.occurrence(
            "firefox",
            .thresholdReached,
            event: "used",
            countedMs: thresholdMs,
            thresholdMs: thresholdMs
        )

        let posts = try desk.deliver("d1", occurrence)

        #expect(posts.map(\.title) == [title])
        let amount = title.dropFirst("firefox, steam: ".count).dropLast(" 모두 사용".count)
        #expect(posts.map(\.body) == ["\(amount) 동안 썼으니 이제 산책하세요. 0초"])
    }

    @Test("A limit's warning states the remaining time")
    func warning() throws {
        var spec = RuleDesk.limit()
        spec.warnMs = 300_000
        try desk.add(spec)

        let posts = try desk.deliver(
            "d1",
            RuleDesk.occurrence(
                "firefox",
                .thresholdWarning,
                event: "used",
                countedMs: 1_500_000,
                thresholdMs: 1_800_000
            )
        )

        #expect(posts.map(\.title) == ["5 min of firefox is left"])
    }

    @Test(
        "The start and end of a limit's day post no notice",
        arguments: [
            ActivityOccasion.intervalStarted, .intervalEnded, .intervalWillStart, .intervalWillEnd, .unknown,
        ]
    )
    func quiet(occasion: ActivityOccasion) throws {
        try desk.add(RuleDesk.limit())

        #expect(try desk.deliver("d1", RuleDesk.occurrence("firefox", occasion)).isEmpty)
    }

    @Test("A downtime notifies before and at its start, but not at its end")
    func downtime() throws {
        var spec = RuleDesk.downtime()
        spec.warnMs = 300_000
        spec.say = "{left} of rest"
        try desk.add(spec)
        let startMs = RuleDesk.wallMs(day: 20, hour: 21, minute: 30)
        let endMs = RuleDesk.wallMs(day: 21, hour: 7)
        func told(_ occasion: ActivityOccasion, _ dueMs: Int64) throws -> [String] {
            let occurrence = RuleDesk.occurrence(
                "downtime",
                occasion,
                dueMs: dueMs,
                startMs: startMs,
                endMs: endMs
            )
            return try desk.deliver("d\(dueMs)", occurrence).map { "\($0.title) | \($0.body)" }
        }

        #expect(
            try told(.intervalWillStart, startMs - 300_000) == [
                "Downtime begins in 5 min | 9 h 35 min of rest"
            ]
        )
        #expect(try told(.intervalStarted, startMs) == ["Downtime until 07:00 | 9 h 30 min of rest"])
        #expect(try told(.intervalWillEnd, endMs - 300_000) == [])
        #expect(try told(.intervalEnded, endMs) == [])
    }

    @Test(
        "A window notifies of usage outside it and before it closes, but not before a closed day"
    )
    func window() throws {
        var spec = RuleDesk.window(days: [2])
        spec.warnMs = 600_000
        try desk.add(spec)

        let used = try desk.deliver(
            "d1",
            RuleDesk.occurrence("social-window", .thresholdReached, event: "early")
        )
        let off = try desk.deliver(
            "d2",
            RuleDesk.occurrence("social-window/off", .thresholdReached, event: "early")
        )
        let closing = try desk.deliver("d3", RuleDesk.occurrence("social-window", .intervalWillStart))
        let day = try desk.deliver("d4", RuleDesk.occurrence("social-window/off", .intervalWillStart))

        #expect(used.map(\.title) == ["social: only 17:00-20:00"])
        #expect(off.map(\.title) == used.map(\.title))
        #expect(closing.map(\.title) == ["social: 10 min left"])
        #expect(day.isEmpty)
    }

    @Test("A goal notifies when it is met, and of early usage before that")
    func goal() throws {
        try desk.add(RuleDesk.goal())
        let nextMs = RuleDesk.wallMs(day: 21, hour: 0)
        let early = RuleDesk.occurrence("code-goal", .thresholdReached, event: "early")
        let met = RuleDesk.occurrence("code-goal", .thresholdReached, event: "used", thresholdMs: 7_200_000)
        let next = RuleDesk.occurrence("code-goal", .thresholdReached, event: "early", startMs: nextMs)

        #expect(try desk.deliver("d1", early).map(\.title) == ["First 2 h of code"])
        #expect(try desk.deliver("d2", met).map(\.title) == ["2 h of code reached"])
        #expect(try desk.deliver("d2", met).map(\.body) == ["games: open until midnight."])
        #expect(try desk.deliver("d3", early).isEmpty)
        try desk.restart()
        #expect(try desk.deliver("d3", early).isEmpty)
        // The member had left, so the goal is no longer met.
        let returned = RuleDesk.occurrence("code-goal", .thresholdReturned, event: "used")
        #expect(try desk.deliver("d5", returned).isEmpty)
        #expect(try desk.deliver("d6", early).map(\.title) == ["First 2 h of code"])
        // On the next day the goal applies again.
        #expect(try desk.deliver("d4", next).count == 1)
    }

    @Test("A repeated occurrence has the same outcome")
    func again() throws {
        try desk.add(RuleDesk.limit())

        let first = try desk.deliver("d1", reached())
        try desk.restart()

        #expect(try desk.deliver("d1", reached()) == first)
    }

    @Test("An occurrence of a removed or unknown rule posts nothing and does not fail")
    func gone() throws {
        try desk.add(RuleDesk.limit())
        _ = try desk.bench.ask(RuleRemove.self, .init(name: "firefox"))

        #expect(try desk.deliver("d1", reached()).isEmpty)
        #expect(try desk.deliver("d2", reached("/off")).isEmpty)
    }

    @Test("A notice with many long names and placeholders is shortened to fit")
    func fitting() throws {
        var spec = RuleDesk.limit()
        spec.targets = (0..<50).map { RuleDesk.app(String(repeating: "앱", count: 80) + "\($0)") }
        spec.say = String(repeating: "{app}", count: 100)
        spec.name = "long"
        try desk.add(spec)

        let post = try #require(try desk.deliver("d1", reached("long")).first)

        #expect(post.title.utf8.count <= NotifyPost.titleBytesMax)
        #expect(post.body.utf8.count <= NotifyPost.bodyBytesMax && post.body.hasSuffix("…"))
    }

    // MARK: - Pauses

    private func pause(_ ms: Int64) throws {
        _ = try desk.bench.ask(RulePause.self, .init(name: "firefox", forMs: ms))
    }

    private func held() throws -> NextRuleNotice { desk.bench.held }

    @Test("A pause holds notices back, and a reached limit is posted once after the pause")
    func pauses() throws {
        try desk.add(RuleDesk.limit())
        try pause(3_600_000)

        #expect(try desk.deliver("d1", reached(dueMs: RuleDesk.noonMs + 1)).isEmpty)
        #expect(try desk.deliver("d1", reached(dueMs: RuleDesk.noonMs + 1)).isEmpty)
        #expect(desk.book.rules["firefox"]?.held.count == 1)
        #expect(try held().post == nil)
        #expect(try held().next?.ms == RuleDesk.noonMs + 3_600_000)
        try desk.restart()
        desk.bench.time.advance(byMs: 3_600_000)

        let told = try held()
        #expect(told.post?.id == "d1" && told.isCurrent)
        try desk.bench.letGo(rule: "firefox", id: "d1")
        #expect(try held().post == nil && held().next == nil)
    }

    @Test("A notice that is due at the end of the pause or later is posted immediately")
    func afterPause() throws {
        try desk.add(RuleDesk.limit())
        try pause(3_600_000)

        #expect(try desk.deliver("d1", reached(dueMs: RuleDesk.noonMs + 3_599_999)).isEmpty)
        #expect(try desk.deliver("d2", reached(dueMs: RuleDesk.noonMs + 3_600_000)).count == 1)
    }

    @Test("A notice that is held beyond its day is no longer current")
    func outlasted() throws {
        try desk.add(RuleDesk.limit())
        try pause(86_400_000)
        _ = try desk.deliver("d1", reached())
        desk.bench.time.advance(byMs: 86_400_000)

        #expect(try held().isCurrent == false)
        #expect(try held().post?.id == "d1")
    }

    @Test("Ending a pause releases the notice of a reached limit, but not a warning")
    func ended() throws {
        var spec = RuleDesk.limit()
        spec.warnMs = 60_000
        try desk.add(spec)
        try pause(3_600_000)
        let warning = RuleDesk.occurrence("firefox", .thresholdWarning, event: "used")
        #expect(try desk.deliver("d0", warning).isEmpty)
        _ = try desk.deliver("d1", reached())

        try pause(0)

        #expect(try held().post?.id == "d1")
    }

    @Test("A long pause keeps only the last 20 notices")
    func heldLimit() throws {
        try desk.add(RuleDesk.limit())
        try pause(3_600_000)
        for number in 0..<30 { _ = try desk.deliver("d\(number)", reached()) }

        #expect(desk.book.rules["firefox"]?.held.map(\.post.id) == (10..<30).map { "d\($0)" })
    }

    @Test("A goal that is met during a pause counts")
    func goalInPause() throws {
        try desk.add(RuleDesk.goal())
        _ = try desk.bench.ask(RulePause.self, .init(name: "code-goal", forMs: 60_000))
        let met = RuleDesk.occurrence("code-goal", .thresholdReached, event: "used", thresholdMs: 7_200_000)
        _ = try desk.deliver("d1", met)
        _ = try desk.bench.ask(RulePause.self, .init(name: "code-goal", forMs: 0))

        let early = RuleDesk.occurrence("code-goal", .thresholdReached, event: "early")
        #expect(try desk.deliver("d2", early).isEmpty)
    }
}
