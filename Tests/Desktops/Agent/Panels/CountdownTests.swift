import STContracts
import STDesktop
import STDomain
import STFollowing
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("The countdown")
struct CountdownTests {
    private func counting(_ leftMs: Int64) -> PanelStories {
        var story = PanelStories()
        story.front("firefox", name: "Firefox")
        story.pass(CountdownPlan.restMs)
        story.budget(leftMs)
        return story
    }

    @Test("says minutes, then seconds, and goes when nothing is left")
    func goesDown() {
        var story = counting(150_000)
        #expect(story.countdown == "3 min")
        story.pass(30_000)
        #expect(story.countdown == "2 min")
        story.pass(60_000)
        #expect(story.countdown == "1:00")
        story.pass(1_000)
        #expect(story.countdown == "0:59")
        story.pass(50_500)
        #expect(story.countdown == "0:09")
        story.pass(8_500)
        #expect(!story.open.keys.contains("panel:countdown"))
        #expect(story.faults.isEmpty)
        #expect(story.files.isEmpty)
    }

    @Test("wakes once a minute and asks once a minute, and once a second only in the last")
    func wakes() {
        var story = counting(600_000)
        let wakes = story.pass(539_000)
        #expect(wakes <= 9 + 10 + 40, "\(wakes)")
        story.budget(61_000)
        let drawn = story.drawings
        let last = story.pass(61_000)
        #expect(last <= 61 + 8, "\(last)")
        #expect(story.drawings - drawn <= 62)
    }

    @Test("nothing is shown and hardly anything wakes while there is more than ten minutes")
    func quiet() {
        var story = counting(3_600_000)
        #expect(story.countdown == nil)
        // No answer comes any more, and the question is put again now and then.
        #expect(story.pass(200_000) <= 1)
        #expect(story.open.isEmpty)
    }

    @Test("shows up by itself ten minutes before the end")
    func comes() {
        var story = counting(660_000)
        #expect(story.open.isEmpty)
        story.pass(60_000)
        #expect(story.countdown == "10 min")
    }

    @Test("off is off: no question, no wake-up")
    func off() {
        var story = PanelStories(PanelSettings(hasCountdown: false))
        story.front("firefox")
        #expect(story.pass(3_600_000) == 0)
        #expect(story.asks.isEmpty && story.open.isEmpty)
    }

    @Test("hidden while the person is away, while the screen is locked, and behind a shield; then asked anew")
    func hidden() {
        let ways: [((inout PanelStories) -> Void, (inout PanelStories) -> Void)] = [
            ({ $0.run { $0.presence(.idle, $1) } }, { $0.run { $0.presence(.active, $1) } }),
            ({ $0.run { $0.presence(.locked, $1) } }, { $0.run { $0.presence(.active, $1) } }),
            ({ $0.run { $0.shielded(["firefox"], $1) } }, { $0.run { $0.shielded([], $1) } }),
            ({ $0.front("other") }, { $0.front("firefox") }),
        ]
        for (hide, show) in ways {
            var story = counting(300_000)
            #expect(story.countdown == "5 min")
            hide(&story)
            #expect(story.countdown == nil)
            let asks = story.asks.count
            show(&story)
            #expect(story.countdown == nil)
            story.pass(CountdownPlan.restMs)
            #expect(story.asks.count > asks)
            story.budget(300_000)
            #expect(story.countdown == "5 min")
            #expect(story.faults.isEmpty)
        }
    }

    @Test("vanishes when more time is granted")
    func granted() {
        var story = counting(30_000)
        #expect(story.countdown == "0:30")
        let asks = story.asks.count
        for _ in 0..<20 { story.run { $0.policyChanged($1) } }
        story.pass(CountdownPlan.restMs)
        #expect(story.asks.count == asks + 1)
        // What was known stands until the answer is here.
        #expect(story.countdown == "0:29")
        story.budget(30_000 + 900_000)
        #expect(story.open.isEmpty)
        story.front("firefox", name: "Firefox")
        story.run { $0.policyChanged($1) }
        story.pass(CountdownPlan.restMs)
        story.budget(nil)
        #expect(story.open.isEmpty)
    }

    @Test("an answer about another app, or one that comes late, does not count")
    func stale() throws {
        var story = counting(300_000)
        let old = try #require(story.asks.last)
        story.front("code")
        story.run { [nowMs = story.nowMs] in $0.budget(ticket: old.ticket, crossingBootMs: nowMs + 60_000, $1)
        }
        #expect(story.countdown == nil)
        story.pass(CountdownPlan.restMs)
        #expect(story.asks.last?.app == "code")
    }

    @Test("words of the language, and a name for who cannot see it")
    func korean() {
        var story = PanelStories(PanelSettings(language: "ko_KR", hasCountdown: true))
        story.front("firefox", name: "Firefox")
        story.pass(CountdownPlan.restMs)
        story.budget(240_000)
        #expect(story.countdown == "4분")
        #expect(PanelWords(language: "ko").left("Firefox", "4분") == "Firefox: 4분 남음")
    }

    private func view(_ id: String, warnMs: Int64?) -> RuleView {
        RuleView(
            id: id,
            rule: RuleSpec(kind: .limit, durationMs: 1_800_000, then: .shield, warnMs: warnMs),
            addedAt: "",
            pausedUntil: nil,
            interval: nil,
            when: nil,
            isWatched: true,
            problem: nil
        )
    }

    private func explained(_ id: String, _ change: (inout ExplainEvent) -> Void = { _ in })
        -> ExplainedActivity
    {
        var event = ExplainEvent(
            event: BuiltInRules.usedEvent,
            countedMs: 1_200_000,
            thresholdMs: 1_800_000,
            leftMs: 600_000,
            reached: false,
            warned: false,
            sinceWallMs: 0,
            since: "",
            carriedMs: 0,
            parts: [],
            nextCrossingBootMs: 700_000
        )
        change(&event)
        let activity = ActivityView(
            app: BuiltInRules.app,
            member: "minji",
            activity: id,
            schedule: Schedule(start: DateFields(hour: 0), end: DateFields(hour: 0), repeats: true),
            events: [],
            mode: .wallClock,
            understood: ""
        )
        return ExplainedActivity(activity: activity, isOngoing: true, events: [event])
    }

    @Test("the tray's item shows how much there is of the tightest limit that has something left")
    func tray() {
        let rules = [view("a", warnMs: nil), view("b", warnMs: nil)]
        func face(_ explained: ExplainedActivity...) -> TrayFace {
            TrayFace(rules: rules, explained: explained, language: "en")
        }
        let usedUp = explained("a") { ($0.reached, $0.leftMs) = (true, 0) }
        #expect(face(usedUp).label == "")
        #expect(face(usedUp).lines == ["a: no time left"])
        #expect(face(usedUp, explained("b")).label == "10 min")
        var paused = view("a", warnMs: nil)
        paused.pausedUntil = "2026-05-04T10:00:00Z"
        let resting = TrayFace(rules: [paused], explained: [usedUp], language: "en")
        #expect(resting.lines == ["a: paused"] && resting.label == "")
        for (items, text) in [
            ([], "a: 5 min of granted time left"), (rules[0].rule.targets, "a: 5 min of granted time left"),
            ([TokenItem(kind: .application, id: "other")], "a: no time left"),
        ] as [([TokenItem], String)] {
            let request = RequestView(
                request: "R1",
                member: "minji",
                items: items,
                durationMs: 600_000,
                state: .granted,
                askedAt: "2026-05-04T10:00:00Z",
                untilWallMs: 900_000
            )
            let granted = TrayFace(
                rules: rules,
                explained: [usedUp],
                requests: [request],
                nowMs: 600_000,
                language: "en"
            )
            #expect(granted.lines == [text] && granted.label == "")
        }
        let gone = TrayFace(
            rules: rules,
            explained: [usedUp],
            conditions: [.unobserved(Message(verbatim: "No display."), remedy: nil)],
            language: "en"
        )
        #expect(gone.lines == ["⚠ This desktop is not observed", "a: no time left"])
    }

    @Test("which limit ends next: only those with a shield, after their warning")
    func reading() {
        let rules = [view("a", warnMs: 300_000), view("b", warnMs: nil)]
        // The warning comes first, and the end five minutes after it.
        #expect(BudgetReading.crossing(rules: rules, [explained("a")]) == 1_000_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.warned = true }]) == 700_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.leftMs = 100_000 }]) == 800_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("b"), explained("a")]) == 700_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("c")]) == nil)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.reached = true }]) == nil)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.nextCrossingBootMs = nil }]) == nil)
    }

    @Test("more time that was granted holds off the end of a budget, and its own end is counted down to")
    func grantHoldsOff() {
        let store = StoreName(app: BuiltInRules.app, member: "minji", store: "games")
        let now = TimeReading(wallMs: 5_000_000, bootMs: 1_000_000, monotonicMs: 1_000_000)
        func shield(_ crossing: Int64?, grant: Int64?, isUsedUp: Bool, app: String = "game") -> Int64? {
            var book = PolicyBook()
            if isUsedUp { book.set(store, StoreShields(apps: ["game"])) }
            if let grant {
                let untilMs = now.wallMs + grant
                let things = ThingSet(apps: [app])
                book.set(TimeGrant(request: "R1", member: "minji", things: things, untilMs: untilMs))
            }
            let policy = ShieldPolicy(book: book, facts: FactBook(), household: Household())
            return policy.shieldBootMs("game", member: "minji", crossingBootMs: crossing, now)
        }
        #expect(shield(nil, grant: nil, isUsedUp: false) == nil)
        #expect(shield(1_060_000, grant: nil, isUsedUp: false) == 1_060_000)
        #expect(shield(nil, grant: 300_000, isUsedUp: true) == 1_300_000)
        #expect(shield(nil, grant: 300_000, isUsedUp: false) == nil)
        // The budget is used up while the grant holds: the shield comes at its end.
        #expect(shield(1_060_000, grant: 300_000, isUsedUp: false) == 1_300_000)
        #expect(shield(1_600_000, grant: 300_000, isUsedUp: false) == 1_600_000)
        // Granted for something else.
        #expect(shield(1_060_000, grant: 300_000, isUsedUp: false, app: "other") == 1_060_000)
    }
}
