import STCommandCore
import STContracts
import STDomain
import STPlatform
import Testing

@Suite("How rules are typed and shown")
struct RuleWordsTests {
    @Test(
        "Days are parsed from ranges, lists and words, also across the end of the week",
        arguments: [
            ("mon-fri", [2, 3, 4, 5, 6]), ("sun-thu", [1, 2, 3, 4, 5]), ("sat,sun", [1, 7]),
            ("fri-mon", [1, 2, 6, 7]),
            ("wed", [4]), ("Monday-Tuesday,SAT", [2, 3, 7]), ("weekdays", [2, 3, 4, 5, 6]),
            ("weekends", [1, 7]),
            ("daily", [1, 2, 3, 4, 5, 6, 7]), ("mon,mon", [2]),
        ]
    )
    func days(text: String, expected: [Int]) throws { #expect(try DayList.days(text) == expected) }

    @Test(
        "An invalid list of days is rejected",
        arguments: ["", "funday", "mon-", "-fri", "mon-tue-wed", "mon;tue", "1-5", "mon, tue"]
    )
    func badDays(text: String) { #expect(throws: Problem.self) { try DayList.days(text) } }

    @Test(
        "A set of days is printed as a range or a list",
        arguments: [
            (nil, "every day"), ([], "every day"), ([1, 2, 3, 4, 5, 6, 7], "every day"),
            ([2, 3, 4, 5, 6], "on Mon to Fri"), ([1, 2, 3, 4, 5], "on Sun to Thu"), ([1, 7], "on Sat, Sun"),
            ([2, 4, 6], "on Mon, Wed, Fri"), ([1, 2, 6, 7], "on Fri to Mon"), ([4], "on Wed"),
            ([1, 3, 4, 5, 6, 7], "on Tue to Sun"),
        ] as [([Int]?, String)]
    )
    func dayText(days: [Int]?, expected: String) { #expect(DayList.text(days) == expected) }

    @Test(
        "A time window is parsed without leading zeros or minutes, and with an en dash",
        arguments: [
            ("17:00-20:00", "17:00", "20:00"), ("21:30-7:00", "21:30", "07:00"), ("9-17", "09:00", "17:00"),
            ("16:00–24:00", "16:00", "24:00"),
        ]
    )
    func windows(text: String, from: String, to: String) {
        #expect(WindowText.read(text) == RuleWindow(from: from, to: to))
    }

    @Test(
        "An invalid time window is rejected",
        arguments: [
            "", "17:00", "17:00-", "25:00-26:00", "17:60-18:00", "1-2-3", "5pm-6pm", "+1-+2", "100-200",
            "24:01-25:00",
        ]
    )
    func badWindows(text: String) {
        #expect(WindowText.read(text) == nil)
        #expect(throws: Problem.self) { try WindowText.window(text, "screentime downtime add") }
    }

    @Test("Subjects are parsed as apps, categories and sites")
    func subjects() throws {
        let items = try SubjectReader.items(
            [
                "firefox", "org.mozilla.firefox", "category:Social", "site:Reddit.com", "steam_app_7",
                "my app",
            ],
            after: "screentime limit add"
        )

        #expect(
            items.map(\.kind) == [.application, .application, .category, .domain, .application, .application]
        )
        #expect(
            items.map(\.id) == [
                "firefox", "org.mozilla.firefox", "social", "reddit.com", "steam_app_7", "my app",
            ]
        )
        #expect(try SubjectReader.items(["everything"], after: "").isEmpty)
    }

    @Test(
        "An invalid subject is rejected with a help line that contains the corrected subject",
        arguments: [
            ("reddit.com", "site:reddit.com"), ("https://Reddit.com/r/x", "site:reddit.com"),
            ("site:https://reddit.com:443/x", "site:reddit.com"), ("reddit.com/r/linux", "site:reddit.com"),
            ("categry:social", "category:social"), ("sites:reddit.com", "site:reddit.com"),
            ("app:firefox", "firefox"),
            ("everything", "firefox"), ("", "firefox"),
        ]
    )
    func badSubjects(word: String, meant: String) {
        let problem = #expect(throws: Problem.self) {
            try SubjectReader.items(["code", word], after: "screentime limit add", before: "30m")
        }
        #expect(problem?.help == "screentime limit add code \(meant) 30m")
    }

    @Test("Progress is printed in different words for a limit and a goal")
    func progress() {
        let half = RuleProgress(
            used: .seconds(720),
            limit: .seconds(1_800),
            left: .seconds(1_080),
            isReached: false
        )
        let all = RuleProgress(used: .seconds(1_900), limit: .seconds(1_800), left: .zero, isReached: true)

        #expect(half.text(.limit) == "12 min used, 18 min left")
        #expect(half.text(.goal) == "12 min done, 18 min to go")
        #expect(all.text(.limit) == "31 min 40 s used, nothing left")
        #expect(all.text(.goal) == "31 min 40 s done, goal reached")
    }

    @Test(
        "A mistyped command is rejected with a suggestion of the intended command",
        arguments: [
            (["limit", "firefox", "30m"], "screentime limit add firefox 30m"),
            (["limit", "30m", "firefox"], "screentime limit add firefox 30m"),
            (["downtime", "21:30-07:00"], "screentime downtime add 21:30-07:00"),
            (["limit", "lst"], "screentime limit list"),
            (["block", "firefox", "1h"], "screentime limit add firefox 1h --then shield"),
            (["pause", "evening", "2h"], "screentime rule pause evening --for 2h"),
            (["rules"], "screentime rule list"), (["limt", "add", "x", "1h"], "screentime limit add x 1h"),
        ]
    )
    func nearMiss(line: [String], expected: String) {
        let problem = #expect(throws: Problem.self) { try CommandLineParser.parse(line) }
        #expect(problem?.help == expected)
    }

    @Test("The rules of today are printed with used and remaining time, and without allowed apps")
    func today() {
        let plain = Terminal(isTerminal: false, isColoured: false, columns: 100)
        let limit = Self.view(
            "firefox",
            RuleSpec(kind: .limit, targets: [.init(kind: .application, id: "firefox")], durationMs: 1_800_000)
        )
        var night = Self.view("night", RuleSpec(kind: .downtime, window: .init(from: "21:30", to: "07:00")))
        night.when = "next: Fri 20 Nov 21:30"
        var broken = Self.view("broken", RuleSpec(kind: .limit, durationMs: 60_000))
        broken.problem = Message(verbatim: "activity.x: No.")
        broken.isWatched = false
        let allow = Self.view(
            "mail",
            RuleSpec(kind: .allow, targets: [.init(kind: .application, id: "mail")])
        )
        let progress = RuleProgress(
            used: .seconds(720),
            limit: .seconds(1_800),
            left: .seconds(1_080),
            isReached: false
        )

        let lines = RuleScreen.today(
            [limit, night, broken, allow],
            facts: RuleFacts(
                progress: ["firefox": progress],
                moments: MomentFormatter(fromMs: 1_795_186_800_000, zone: "UTC")
            ),
            apps: DisplayNames(),
            terminal: plain
        )

        #expect(
            lines == [
                "  firefox  30 min of firefox a day          12 min used, 18 min left",
                "  night    no computer from 21:30 to 07:00  next: Fri 20 Nov 21:30",
                "  broken   1 min of everything a day        not in force; see `screentime rule show broken`",
            ]
        )
    }

    static func view(_ name: String, _ spec: RuleSpec) -> RuleView {
        var spec = spec
        spec.name = name
        spec.member = spec.member ?? "owner"
        return RuleView(
            id: name,
            rule: spec,
            addedAt: "2026-11-20T17:00:00.000Z",
            pausedUntil: nil,
            interval: nil,
            when: nil,
            isWatched: true,
            problem: nil
        )
    }

    @Test("The commands that a pending change suggests are valid for each kind of rule")
    func advice() throws {
        for kind in [RuleKind.limit, .downtime, .window, .goal, .break, .allow, .session] {
            let spec = RuleSpec(
                kind: kind,
                name: "rule",
                targets: [TokenItem(kind: .application, id: "editor")],
                durationMs: 3_600_000,
                restMs: kind == .break ? 300_000 : nil,
                window: RuleWindow(from: "21:30", to: "07:00")
            )
            let pending = PendingChange(
                change: "remove",
                text: Message(verbatim: "the rule is removed"),
                askedAt: "2026-11-20T10:00:00.000Z",
                takesEffectWallMs: 1_795_176_000_000
            )
            let moments = MomentFormatter(fromMs: 1_795_132_800_000, zone: "UTC", in: .english)
            let lines = RulePendingText.lines(Self.view("rule", spec), pending: pending, moments: moments)
            #expect(lines[0].contains("is delayed because it loosens a rule"))
            for line in lines.dropFirst() {
                let words = line.split(separator: ": ").last.map { $0.split(separator: " ").map(String.init) }
                #expect(throws: Never.self) { try CommandLineParser.parse(Array((words ?? []).dropFirst())) }
            }
            #expect((lines.count == 1) == (kind == .session))
        }
    }
}
