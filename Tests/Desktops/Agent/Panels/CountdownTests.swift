import STContracts
import STDesktop
import STDomain
import STFollowing
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("Countdown of the remaining time")
struct CountdownTests {
    private func counting(_ leftMs: Int64) -> PanelStories {
        var story = PanelStories()
        story.front("firefox", name: "Firefox")
        story.pass(BudgetCountdown.rest.ms)
        story.budget(leftMs)
        return story
    }

    @Test("The countdown shows minutes, then seconds, and closes when no time is left")
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

    @Test("The countdown wakes at most 59 times in nine minutes, and about once a second in the last minute")
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

    @Test("With an hour left, the countdown is hidden and wakes at most once in 200 seconds")
    func quiet() {
        var story = counting(3_600_000)
        #expect(story.countdown == nil)
        // There are no further replies, and the question is repeated from time to time.
        #expect(story.pass(200_000) <= 1)
        #expect(story.open.isEmpty)
    }

    @Test("The countdown appears ten minutes before the end")
    func comes() {
        var story = counting(660_000)
        #expect(story.open.isEmpty)
        story.pass(60_000)
        #expect(story.countdown == "10 min")
    }

    @Test("A disabled countdown sends no requests and causes no wake-ups")
    func off() {
        var story = PanelStories(PanelSettings(hasCountdown: false))
        story.front("firefox")
        #expect(story.pass(3_600_000) == 0)
        #expect(story.asks.isEmpty && story.open.isEmpty)
    }

    @Test(
        "The countdown hides while the person is away or the app is shielded, then requests the budget again"
    )
    func hidden() {
        let ways: [((inout PanelStories) -> Void, (inout PanelStories) -> Void)] = [
            ({ $0.run { $0.updatePresence(.idle, $1) } }, { $0.run { $0.updatePresence(.active, $1) } }),
            ({ $0.run { $0.updatePresence(.locked, $1) } }, { $0.run { $0.updatePresence(.active, $1) } }),
            (
                { $0.run { $0.updateShieldedApps(["firefox"], $1) } },
                { $0.run { $0.updateShieldedApps([], $1) } }
            ),
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
            story.pass(BudgetCountdown.rest.ms)
            #expect(story.asks.count > asks)
            story.budget(300_000)
            #expect(story.countdown == "5 min")
            #expect(story.faults.isEmpty)
        }
    }

    @Test("The countdown closes when more time is granted, and 20 policy changes cause one request")
    func granted() {
        var story = counting(30_000)
        #expect(story.countdown == "0:30")
        let asks = story.asks.count
        for _ in 0..<20 { story.run { $0.policyDidChange($1) } }
        story.pass(BudgetCountdown.rest.ms)
        #expect(story.asks.count == asks + 1)
        // The earlier countdown is shown until the reply is here.
        #expect(story.countdown == "0:29")
        story.budget(30_000 + 900_000)
        #expect(story.open.isEmpty)
        story.front("firefox", name: "Firefox")
        story.run { $0.policyDidChange($1) }
        story.pass(BudgetCountdown.rest.ms)
        story.budget(nil)
        #expect(story.open.isEmpty)
    }

    @Test("A late reply about the previous app does not change the countdown")
    func stale() throws {
        var story = counting(300_000)
        let old = try #require(story.asks.last)
        story.front("code")
        story.run { [now = story.now.boot] in
            $0.receiveBudget(ticket: old.ticket, crossing: now + .seconds(60), $1)
        }
        #expect(story.countdown == nil)
        story.pass(BudgetCountdown.rest.ms)
        #expect(story.asks.last?.app == "code")
    }

    @Test("The countdown and its accessible name are translated")
    func korean() {
        var story = PanelStories(PanelSettings(language: "ko_KR", hasCountdown: true))
        story.front("firefox", name: "Firefox")
        story.pass(BudgetCountdown.rest.ms)
        story.budget(240_000)
        #expect(story.countdown == "4분")
        #expect(PanelStrings(language: "ko").timeRemaining("Firefox", "4분") == "Firefox: 4분 남음")
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

    @Test("The tray item shows the remaining time of the tightest limit that is not used up")
    func tray() {
        let rules = [view("a", warnMs: nil), view("b", warnMs: nil)]
        func face(_ explained: ExplainedActivity...) -> TrayContent {
            TrayContent(rules: rules, explained: explained, language: "en")
        }
        let usedUp = explained("a") { ($0.reached, $0.leftMs) = (true, 0) }
        #expect(face(usedUp).label == "")
        #expect(face(usedUp).lines == ["a: no time left"])
        #expect(face(usedUp, explained("b")).label == "10 min")
        var paused = view("a", warnMs: nil)
        paused.pausedUntil = "2026-05-04T10:00:00Z"
        let resting = TrayContent(rules: [paused], explained: [usedUp], language: "en")
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
            let granted = TrayContent(
                rules: rules,
                explained: [usedUp],
                requests: [request],
                now: WallTime(ms: 600_000),
                language: "en"
            )
            #expect(granted.lines == [text] && granted.label == "")
        }
        let gone = TrayContent(
            rules: rules,
            explained: [usedUp],
            conditions: [.unobserved(Message(verbatim: "No display."), remedy: nil)],
            language: "en"
        )
        #expect(gone.lines == ["⚠ This desktop is not observed", "a: no time left"])
    }

    @Test("The crossing of a budget is the earliest end of its limits, after any warning")
    func reading() {
        let rules = [view("a", warnMs: 300_000), view("b", warnMs: nil)]
        // The warning comes first, and the end five minutes later.
        #expect(BudgetReading.crossing(rules: rules, [explained("a")])?.ms == 1_000_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.warned = true }])?.ms == 700_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.leftMs = 100_000 }])?.ms == 800_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("b"), explained("a")])?.ms == 700_000)
        #expect(BudgetReading.crossing(rules: rules, [explained("c")]) == nil)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.reached = true }]) == nil)
        #expect(BudgetReading.crossing(rules: rules, [explained("a") { $0.nextCrossingBootMs = nil }]) == nil)
    }

    @Test("A grant delays the shield of a used-up budget to the end of the grant")
    func grantHoldsOff() {
        let store = StoreName(app: BuiltInRules.app, member: "minji", store: "games")
        let now = TimeReading(wallMs: 5_000_000, bootMs: 1_000_000, monotonicMs: 1_000_000)
        func shield(_ crossing: Int64?, grant: Int64?, isUsedUp: Bool, app: String = "game") -> Int64? {
            var book = Policies()
            if isUsedUp { book.set(store, StoreShields(apps: ["game"])) }
            if let grant {
                let untilMs = now.wallMs + grant
                let things = SubjectSet(apps: [app])
                book.set(TimeGrant(request: "R1", member: "minji", things: things, untilMs: untilMs))
            }
            let policy = ShieldPolicy(book: book, facts: SubjectFactIndex(), household: Household())
            return policy.shieldTime(
                "game",
                member: "minji",
                crossing: crossing.map(BootTime.init(ms:)),
                now
            )?.ms
        }
        #expect(shield(nil, grant: nil, isUsedUp: false) == nil)
        #expect(shield(1_060_000, grant: nil, isUsedUp: false) == 1_060_000)
        #expect(shield(nil, grant: 300_000, isUsedUp: true) == 1_300_000)
        #expect(shield(nil, grant: 300_000, isUsedUp: false) == nil)
        // If the budget is used up during the grant, the shield comes at the end of the grant.
        #expect(shield(1_060_000, grant: 300_000, isUsedUp: false) == 1_300_000)
        #expect(shield(1_600_000, grant: 300_000, isUsedUp: false) == 1_600_000)
        // The grant is for another app.
        #expect(shield(1_060_000, grant: 300_000, isUsedUp: false, app: "other") == 1_060_000)
    }
}
