import STCommandKit
import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("Commands of rules", .timeLimit(.minutes(5)))
struct RuleCommandTests {
    @Test("`limit add` adds the typed rule and prints its meaning")
    func limit() async throws {
        let house = RuleHouse()

        let (code, output) = try await house.run([
            "limit", "add", "category:social", "site:reddit.com", "1h", "--on", "mon-fri", "--name",
            "evening",
            "--say", "You promised", "--warn", "5m", "--then", "shield", "--member", "kid",
        ])

        #expect(code == .done)
        let spec = try house.last(RuleAdd.self)?.rule
        #expect(
            spec
                == RuleSpec(
                    kind: .limit,
                    name: "evening",
                    member: "kid",
                    targets: [.init(kind: .category, id: "social"), .init(kind: .domain, id: "reddit.com")],
                    durationMs: 3_600_000,
                    days: [2, 3, 4, 5, 6],
                    then: .shield,
                    warnMs: 300_000,
                    say: "You promised"
                )
        )
        #expect(
            output.standard == """
                Added evening: 1 h of social and reddit.com a day, on Mon to Fri, for kid.
                When the time is used up, social and reddit.com are shielded until midnight, and kid gets a notification, and another 5 min before.
                Text of the notification: “You promised”
                Now: Fri 20 Nov 00:00 to Sat 21 Nov 00:00 (1 d)

                """
        )
    }

    @Test("Each example of a rule command adds the expected rule")
    func examples() async throws {
        let lines: [([String], RuleSpec)] = [
            (
                ["limit", "add", "firefox", "30m"],
                .init(
                    kind: .limit,
                    targets: [.init(kind: .application, id: "firefox")],
                    durationMs: 1_800_000,
                    warnMs: 300_000
                )
            ),
            (
                ["downtime", "add", "21:30-07:00", "--on", "sun-thu"],
                .init(kind: .downtime, window: .init(from: "21:30", to: "07:00"), days: [1, 2, 3, 4, 5])
            ),
            (
                ["window", "add", "category:social", "17:00-20:00"],
                .init(
                    kind: .window,
                    targets: [.init(kind: .category, id: "social")],
                    window: .init(from: "17:00", to: "20:00")
                )
            ),
            (
                ["goal", "add", "code", "2h", "--opens", "category:games,site:a.tv"],
                .init(
                    kind: .goal,
                    targets: [.init(kind: .application, id: "code")],
                    durationMs: 7_200_000,
                    opens: [.init(kind: .category, id: "games"), .init(kind: .domain, id: "a.tv")]
                )
            ),
            (
                ["allow", "add", "org.keepassxc.KeePassXC"],
                .init(kind: .allow, targets: [.init(kind: .application, id: "org.keepassxc.KeePassXC")])
            ),
            (
                ["limit", "add", "everything", "2h"],
                .init(kind: .limit, durationMs: 7_200_000, warnMs: 300_000)
            ),
        ]
        for (line, expected) in lines {
            let house = RuleHouse()
            let (code, output) = try await house.run(line)
            #expect(code == .done, "\(line): \(output.error)")
            #expect(try house.last(RuleAdd.self)?.rule == expected)
        }
    }

    @Test("An app is found by the last part of its id, and a misspelled name is kept with a suggestion")
    func apps() async throws {
        let house = RuleHouse(apps: ["org.mozilla.firefox", "code", "com.a.Notes", "org.b.notes"])

        let (_, known) = try await house.run(["limit", "add", "Firefox", "30m"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["org.mozilla.firefox"])
        #expect(known.standard.contains("Note: On this computer, Firefox means org.mozilla.firefox."))

        // Without a list of what is installed, no name is wrong.
        let (_, near) = try await house.run(["limit", "add", "firefx", "30m"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["firefx"])
        #expect(near.standard.contains("No app called firefx has been used or found here yet. Did you mean"))
        #expect(near.standard.contains("org.mozilla.firefox"))

        let (code, two) = try await house.run(["limit", "add", "notes", "30m"])
        #expect(code != .done)
        #expect(two.error.contains("notes could be: Notes (com.a.Notes), Notes (org.b.notes)."))
        #expect(two.error.contains("try: screentime limit add com.a.Notes 30m"))
        let (_, all) = try await house.run(["limit", "add", "notes", "30m", "--all"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["com.a.Notes", "org.b.notes"])
        #expect(all.standard.contains("notes means all of these"))

        let (_, exact) = try await house.run(["limit", "add", "code", "30m"])
        #expect(!exact.standard.contains("Note"))
    }

    @Test("The name of an unknown app is rejected with a suggestion, unless --anyway is given")
    func unknownApps() async throws {
        let house = RuleHouse(apps: ["org.mozilla.firefox"], installed: ["gimp", "firefox-esr"])

        let (code, near) = try await house.run(["limit", "add", "firefocks", "30m"])
        #expect(code != .done)
        #expect(try house.last(RuleAdd.self) == nil)
        #expect(near.error.contains("No app called firefocks is installed here"))
        #expect(near.error.contains("try: screentime limit add"))
        let (_, new) = try await house.run(["limit", "add", "steam", "30m", "--anyway"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["steam"])
        #expect(new.standard.contains("No app called steam has been used or found here yet."))
        let (why, _) = try await house.run(["why", "firefocks"])
        #expect(why != .done)
    }

    @Test("`limit add` prints on how many of the last 14 days the limit would have been reached")
    func lookBack() async throws {
        let house = RuleHouse(apps: [], usedBefore: [3_600_000, 0, 1_800_000, 1_799_999])
        let (_, often) = try await house.run(["limit", "add", "category:games", "30m"])
        #expect(often.standard.contains("This limit would have been reached on 2 of the last 14 days."))
        let (_, never) = try await house.run(["limit", "add", "category:games", "2h"])
        #expect(never.standard.contains("This limit would not have been reached in the last 14 days."))
        let (_, unknown) = try await RuleHouse(apps: []).run(["limit", "add", "category:games", "2h"])
        #expect(!unknown.standard.contains("been reached"))
    }

    @Test(
        "An installed app is found by the last part of its id, but a used app takes precedence"
    )
    func installed() async throws {
        let house = RuleHouse(
            apps: ["org.a.Notes"],
            installed: ["org.xfce.mousepad", "org.b.notes", "firefox"]
        )

        let (_, known) = try await house.run(["limit", "add", "mousepad", "1h"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["org.xfce.mousepad"])
        #expect(known.standard.contains("Note: On this computer, mousepad means org.xfce.mousepad."))

        _ = try await house.run(["limit", "add", "notes", "1h"])
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["org.a.Notes"])

        let (_, exact) = try await house.run(["limit", "add", "firefox", "1h"])
        #expect(!exact.standard.contains("Note"))
    }

    @Test("Without a list of apps, an unknown app is accepted and no other name is suggested")
    func noApps() async throws {
        let house = RuleHouse()

        let (code, output) = try await house.run(["limit", "add", "firefx", "30m"])

        #expect(code == .done)
        #expect(!output.standard.contains("Note"))
    }

    @Test("Notes of the service about a new rule are printed as text and as JSON")
    func notes() async throws {
        let house = RuleHouse(notes: [
            .init(code: "rule.browser_shielded", text: Message(verbatim: "The browser itself is shielded."))
        ])

        let (_, output) = try await house.run(["limit", "add", "site:reddit.com", "30m"])
        let (_, json) = try await house.run(["limit", "add", "site:reddit.com", "30m", "--json"])

        #expect(output.standard.contains("Note: The browser itself is shielded."))
        let value = try JSONOutput.value(Array(json.standard.utf8))
        #expect(value["rule"]?["rule"]?["duration_ms"] == 1_800_000)
        #expect(
            value["notes"] == [["code": "rule.browser_shielded", "text": "The browser itself is shielded."]]
        )
    }

    @Test("`limit add` for a site suggests `browser enable` until a browser of the account is enabled")
    func sites() async throws {
        let home = try ScratchDirectory()
        defer { home.remove() }
        let house = RuleHouse()
        let line = ["limit", "add", "site:reddit.com", "30m"]
        let silent = try await house.run(line, home: home.path).1.standard
        #expect(silent.contains("screentime browser enable"), "\(silent)")
        try FileTree.makeFolder(home.path + "/.mozilla/native-messaging-hosts")
        try home.write("{}", to: ".mozilla/native-messaging-hosts/dev.screentime.browser.json")
        let told = try await house.run(line, home: home.path).1.standard
        #expect(!told.contains("browser enable"))
    }

    @Test("A rule is found by its name in any case, but only by commands for its kind")
    func nouns() async throws {
        let house = RuleHouse([
            RuleWordsTests.view("night", .init(kind: .downtime, window: .init(from: "21:30", to: "07:00")))
        ])

        #expect(try await house.run(["rule", "show", "NIGHT"]).0 == .done)
        #expect(try await house.run(["downtime", "show", "night"]).0 == .done)
        let (code, other) = try await house.run(["limit", "remove", "night"])
        #expect(code == .no)
        #expect(other.error.contains("try: screentime downtime remove night"))
        let (_, near) = try await house.run(["downtime", "show", "nihgt"])
        #expect(near.error.contains("Did you mean night?"))
        #expect(try house.last(RuleRemove.self) == nil)
    }

    @Test("`downtime edit` sends only the given changes and rejects an edit without changes")
    func edit() async throws {
        let house = RuleHouse([RuleWordsTests.view("night", .init(kind: .downtime))])

        _ = try await house.run(["downtime", "edit", "night", "22:00-07:00", "--warn", "0", "--say", ""])

        #expect(
            try house.last(RuleEdit.self)
                == .init(name: "night", window: .init(from: "22:00", to: "07:00"), warnMs: 0, say: "")
        )
        let (code, output) = try await house.run(["downtime", "edit", "night"])
        #expect(code == .usage && output.error.contains("Specify what to change."))
    }

    @Test("`focus` and `stop` add a session with its apps, duration and member")
    func sessions() async throws {
        let house = RuleHouse([])
        let (_, focus) = try await house.run([
            "focus", "50m", "--only", "code,site:docs.python.org", "--anyway",
        ])
        let asked = try #require(try house.last(RuleAdd.self)?.rule)
        #expect(asked.kind == .session && asked.durationMs == 3_000_000 && asked.member == nil)
        #expect(asked.targets.map(\.id) == ["code", "docs.python.org"])
        #expect(focus.standard.hasPrefix("Added made: only code and docs.python.org for 50 min.\n"))
        #expect(focus.standard.contains("screentime rule remove made"))

        let (_, stop) = try await house.run(["stop", "kid", "now", "--for", "1h"])
        let stopped = try #require(try house.last(RuleAdd.self)?.rule)
        #expect(stopped.kind == .session && stopped.member == "kid" && stopped.durationMs == 3_600_000)
        #expect(
            stopped.targets.isEmpty && stop.standard.hasPrefix("Added made: no computer for 1 h, for kid.\n")
        )
        _ = try await house.run(["stop", "kid"])
        let rest = try #require(try house.last(RuleAdd.self)?.rule.durationMs)
        #expect((1_000...86_400_000).contains(rest) && rest % 1000 == 0)
    }

    @Test(
        "An incomplete or invalid `focus`, `stop` or `grant` is rejected and adds no rule",
        arguments: [
            ["focus", "50m"], ["focus", "soon", "--only", "code"], ["focus", "50m", "--only", "everything"],
            ["stop"], ["stop", "kid", "later"], ["stop", "stranger"], ["stop", "kid", "--for", "ever"],
            ["grant", "kid"], ["grant", "kid", "much"], ["grant", "stranger", "30m"],
        ]
    )
    func badSessions(_ words: [String]) async throws {
        let house = RuleHouse([])
        let (code, output) = try await house.run(words)
        #expect(code != .done && output.error.contains("try:"), "\(output.error)")
        #expect(try house.last(RuleAdd.self) == nil)
    }

    @Test("`rule pause` prints the end of the pause, and --end ends the pause")
    func pause() async throws {
        let house = RuleHouse([RuleWordsTests.view("night", .init(kind: .downtime))])

        let (_, paused) = try await house.run(["rule", "pause", "night", "--for", "1h"])
        #expect(try house.last(RulePause.self) == .init(name: "night", forMs: 3_600_000))
        #expect(paused.standard.contains("night is paused until "))
        let (_, ended) = try await house.run(["rule", "pause", "night", "--end"])
        #expect(try house.last(RulePause.self)?.forMs == 0)
        #expect(ended.standard == "The rule night is in force again.\n")
        #expect(try await house.run(["rule", "pause", "night"]).0 == .usage)
        #expect(try await house.run(["rule", "pause", "night", "--for", "1h", "--end"]).0 == .usage)
    }

    @Test("`limit add` accepts an amount for weekends and exception dates, and rejects invalid values")
    func weekendsAndExceptions() async throws {
        let house = RuleHouse()
        let day = LocalDay(zone: "UTC").day(ofWallMs: SystemTimeSource().now().wallMs).adding(days: 30)

        let (_, added) = try await house.run([
            "limit", "add", "firefox", "30m", "--weekend", "2h", "--except", day.text,
        ])
        let spec = try #require(try house.last(RuleAdd.self)?.rule)
        #expect(spec.weekendMs == 7_200_000 && spec.except == [day.text])
        let month = CalendarNames.shortMonth(day.month, in: .english)
        #expect(
            added.standard.hasPrefix(
                "Added made: 30 min of firefox a day (2 h at weekends), every day, with the weekend time on \(day.day) \(month) \(day.year)."
            ),
            "\(added.standard)"
        )
        #expect(RuleWordsTests.view("made", spec).rule.typedAmount == "30m --weekend 2h")
        for line in [
            ["--overlap", "never"], ["--weekend", "soon"], ["--except", "2020-01-01"],
            ["--except", "/nowhere.ics"],
        ] {
            #expect(try await house.run(["limit", "add", "firefox", "30m"] + line).0 != .done, "\(line)")
        }
    }

    @Test("The option --overlap of a limit is stored and printed, can be edited, and is invalid for downtime")
    func overlap() async throws {
        let house = RuleHouse()
        let (_, added) = try await house.run(["limit", "add", "firefox", "30m", "--overlap", "once"])
        let spec = try #require(try house.last(RuleAdd.self)?.rule)
        #expect(spec.overlap == .once)
        #expect(
            added.standard.hasPrefix(
                "Added made: 30 min of firefox a day, counting simultaneous use on two machines only once,"
            ),
            "\(added.standard)"
        )
        let made = RuleWordsTests.view("made", spec)
        #expect(made.rule.typedAmount == "30m --overlap once")
        let other = RuleHouse([made])
        _ = try await other.run(["limit", "edit", "made", "--overlap", "each"])
        #expect(try other.last(RuleEdit.self) == .init(name: "made", overlap: .each))
        #expect(try await other.run(["downtime", "add", "21:00-07:00", "--overlap", "once"]).0 == .usage)
    }

    @Test("`downtime add --only` stores and prints the allowed apps, and an edit removes them")
    func leavesOpen() async throws {
        let house = RuleHouse()
        let (_, added) = try await house.run([
            "downtime", "add", "16:00-18:00", "--only", "firefox", "--anyway",
        ])
        let spec = try #require(try house.last(RuleAdd.self)?.rule)
        #expect(spec.opens == [TokenItem(kind: .application, id: "firefox")])
        #expect(
            added.standard.hasPrefix("Added made: only firefox from 16:00 to 18:00,"),
            "\(added.standard)"
        )
        let other = RuleHouse([RuleWordsTests.view("made", spec)])
        _ = try await other.run(["downtime", "edit", "made", "--only", "0"])
        #expect(try other.last(RuleEdit.self) == .init(name: "made", opens: []))
    }

    @Test("A rule for one day prints that day, and a rule with other exception dates prints their number")
    func oneDay() {
        var spec = RuleSpec(kind: .downtime, window: .init(from: "10:00", to: "10:45"))
        spec.restrict(only: CivilDate(year: 2026, month: 12, day: 31))
        #expect(spec.onlyDay?.text == "2026-12-31")
        #expect(RuleSentence.days(spec) == ", only on 31 Dec 2026")
        spec.except?[3] = "2027-01-29"
        #expect(spec.onlyDay == nil)
        #expect(RuleSentence.days(spec).contains("except 52 days"))
    }

    @Test("`rule except` sets exception dates for a downtime and leaves out a rule that allows an app")
    func exceptions() async throws {
        let rules: [RuleSpec] = [
            .init(kind: .downtime, window: .init(from: "21:30", to: "07:00")),
            .init(kind: .allow, targets: [.init(kind: .application, id: "notes")]),
        ]
        let house = RuleHouse(zip(["night", "notes"], rules).map(RuleWordsTests.view))
        let first = LocalDay(zone: "UTC").day(ofWallMs: SystemTimeSource().now().wallMs).adding(days: 30)
        let days = (0..<3).map { first.adding(days: $0).text }

        let (_, output) = try await house.run(["rule", "except", "\(days[0])..\(days[2])"])
        #expect(try house.last(RuleEdit.self) == .init(name: "night", except: days))
        #expect(output.standard.hasPrefix("Exception dates: 3 days from "), "\(output.standard)")
        #expect(output.standard.hasSuffix(", for night.\n"), "\(output.standard)")
        #expect(try await house.run(["rule", "except", "tomorrow"]).0 == .usage)
        #expect(try await RuleHouse().run(["rule", "except", "0"]).0 == .no)
    }

    @Test("`rule list` and `limit show` print the used and remaining time of a rule")
    func progress() async throws {
        let spec = RuleSpec(
            kind: .limit,
            targets: [.init(kind: .application, id: "firefox")],
            durationMs: 1_800_000
        )
        let house = RuleHouse([RuleWordsTests.view("firefox", spec)], explained: [Self.explained("firefox")])

        let (_, list) = try await house.run(["rule", "list"])
        let (_, one) = try await house.run(["limit", "show", "firefox"])
        let (_, json) = try await house.run(["limit", "list", "--json"])

        #expect(list.standard.contains("12 min used, 18 min left"))
        #expect(one.standard.contains("Today: 12 min used, 18 min left."))
        let value = try JSONOutput.value(Array(json.standard.utf8))
        guard case .array(let rules) = value["rules"] else {
            Issue.record("no rules")
            return
        }
        #expect(rules.first?["progress"]?["left_ms"] == 1_080_000)
    }

    @Test("`rule show` prints why a rule is not in force")
    func problem() async throws {
        var view = RuleWordsTests.view("firefox", .init(kind: .limit, durationMs: 60_000))
        view.isWatched = false
        view.problem = Message(verbatim: "activity.excessive_activities: There are 200.")

        let (_, output) = try await RuleHouse([view]).run(["rule", "show", "firefox"])

        #expect(output.standard.contains("This rule is not in force: activity.excessive_activities"))
    }

    @Test("`goal list` without goals prints an example command")
    func empty() async throws {
        let (code, output) = try await RuleHouse().run(["goal", "list"])

        #expect(code == .done)
        #expect(
            output.standard.contains("There is no goal yet. To add one, for example: screentime goal add")
        )
    }

    @Test(
        "A mistyped rule command is rejected with a correction, and no rule is added",
        arguments: [
            (["limit", "add", "30m", "firefox"], "limit add firefox 30m"),
            (["limit", "add", "firefox", "30"], "limit add firefox 30m"),
            (["limit", "add", "firefox", "soon"], "limit add firefox soon 30m"),
            (["window", "add", "17:00-20:00", "category:social"], "window add category:social 17:00-20:00"),
            (["window", "add", "everything", "9-17"], "window add firefox 9-17"),
            (["goal", "add", "code", "2h"], "goal add code 2h --opens category:games"),
            (["downtime", "add", "9pm-7am"], "downtime add 21:30-07:00"),
            (["limit", "add", "firefox", "30m", "--on", "funday"], "--on mon-fri"),
            (["limit", "add", "firefox", "30m", "--warn", "x"], "--warn 5m"),
            (["limit", "add", "firefox", "30m", "--then", "kill"], "--then notify"),
        ]
    )
    func refused(line: [String], expected: String) async throws {
        let house = RuleHouse()

        let (code, output) = try await house.run(line)

        #expect(code == .usage)
        #expect(output.error.contains(expected), "\(output.error)")
        #expect(try house.last(RuleAdd.self) == nil)
    }

    private static func explained(_ activity: String) -> ExplainedActivity {
        ExplainedActivity(
            activity: ActivityView(
                app: BuiltInRules.app,
                member: "owner",
                activity: activity,
                schedule: Schedule(start: DateFields(hour: 0), end: DateFields(hour: 0), repeats: true),
                events: [],
                mode: .wallClock,
                understood: ""
            ),
            isOngoing: true,
            events: [
                ExplainEvent(
                    event: BuiltInRules.usedEvent,
                    countedMs: 720_000,
                    thresholdMs: 1_800_000,
                    leftMs: 1_080_000,
                    reached: false,
                    warned: false,
                    sinceWallMs: 0,
                    since: "",
                    carriedMs: 0,
                    parts: []
                )
            ]
        )
    }
}
