import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

/// What `report` makes of its options, and what it answers to those that make no sense.
@Suite("The options of report")
struct ReportOptionTests {
    private let now =
        ZonedClock.here.start(of: CivilDate(year: 2026, month: 11, day: 20)) + .seconds(15 * 3_600)

    private func options(_ options: [String: String]) throws -> ReportOptions {
        let invocation = Invocation(
            subjects: [],
            options: options,
            environment: ["LANG": "ko_KR.UTF-8"],
            directories: Directories(run: "/nowhere", state: "/nowhere", config: "/nowhere"),
            terminal: Terminal(isTerminal: false, isColoured: false, columns: 100)
        )
        return try ReportOptions(invocation, now: now)
    }

    private func days(_ given: [String: String]) throws -> [String] {
        let period = try options(given).period
        #expect(period.isWholeDays(.here))
        return [period.firstDay.text, period.lastDay.text]
    }

    @Test("The default period of a report depends on its segment and context")
    func usual() throws {
        #expect(try days([:]) == ["2026-11-20", "2026-11-20"])
        #expect(try days(["--segment": "hour"]) == ["2026-11-20", "2026-11-20"])
        #expect(try days(["--segment": "day"]) == ["2026-11-14", "2026-11-20"])
        #expect(try days(["--segment": "week"]) == ["2026-10-26", "2026-11-22"])
        #expect(try days(["--context": "compare"]) == ["2026-11-16", "2026-11-22"])
    }

    @Test("A report with --site is grouped by site by default, and its comparison has the same site")
    func site() throws {
        let options = try options(["--site": "YouTube.com"])
        #expect(options.site == "youtube.com" && options.key == .site)
        #expect(try self.options(["--site": "youtube.com", "--by": "app"]).key == .app)
        let questions = ReportRequests(.total, options: options, now: now, clock: .here)
        #expect(questions.main.sites == ["youtube.com"] && questions.second?.sites == ["youtube.com"])
        for (given, code) in [
            (["--site": "https://youtube.com"], "domain.invalid"),
            (["--site": "youtube.com", "--context": "pickups"], "usage.option_value"),
            (["--site": "youtube.com", "--context": "streaks"], "usage.option_value"),
        ] {
            let problem = #expect(throws: Problem.self) { try self.options(given) }
            #expect(problem?.code == code)
        }
    }

    @Test("`report` accepts a period as dates, words, weekdays and times of day")
    func times() throws {
        #expect(try days(["--day": "yesterday"]) == ["2026-11-19", "2026-11-19"])
        #expect(try days(["--day": "2026-02-28"]) == ["2026-02-28", "2026-02-28"])
        #expect(try days(["--day": "monday"]) == ["2026-11-16", "2026-11-16"])
        #expect(try days(["--day": "fri"]) == ["2026-11-20", "2026-11-20"])
        #expect(try days(["--day": "Saturday"]) == ["2026-11-14", "2026-11-14"])
        #expect(try days(["--from": "monday"]) == ["2026-11-16", "2026-11-20"])
        #expect(try days(["--from": "monday", "--to": "wednesday"]) == ["2026-11-16", "2026-11-18"])
        let hours = try options(["--from": "yesterday 17:00", "--to": "yesterday 19:00"]).period
        #expect(hours.to - hours.from == .seconds(7_200))
        #expect(!hours.isWholeDays(.here))
    }

    @Test("Omitted options of a report are derived from the given options and the environment")
    func defaults() throws {
        #expect(try options([:]).subject == .template(.total))
        #expect(try options([:]).key == .app)
        #expect(try options(["--segment": "day"]).subject == .template(.days))
        #expect(try options(["--segment": "day"]).key == .category)
        #expect(try options(["--segment": "week", "--by": "app"]).key == .app)
        #expect(try options(["--context": "pie"]).subject == .app(context: "pie", app: nil))
        #expect(
            try options(["--context": "total", "--app": "x"]).subject == .app(context: "total", app: "x")
        )
        #expect(try options([:]).pageLanguage == .korean)
        #expect(try options(["--language": "en_US"]).pageLanguage == .english)
    }

    @Test(
        "Invalid options of a report are rejected with a message and help",
        arguments: [
            (["--day": "2026-02-30"], "it must be a day"),
            (["--day": "today", "--from": "monday"], "--day is one"),
            (["--to": "monday"], "Set its start with --from"), (["--from": "soon"], "--from is “soon”"),
            (["--from": "2026-11-19", "--to": "2026-11-18"], "is not after"),
            (["--from": "1926-11-20"], "ten years"), (["--from": "2026-12-24"], "is in the future"),
            (["--day": "2027-01-01"], "is in the future"), (["--by": "fish"], "--by is “fish”"),
            (["--by": "unknown"], "--by is “unknown”"), (["--segment": "minute"], "--segment is “minute”"),
            (
                ["--context": "total", "--segment": "day"],
                "--segment day cannot be combined with the report total"
            ),
            (
                ["--context": "timeline", "--by": "site"],
                "--by site cannot be combined with the report timeline"
            ),
            (["--context": "timeline", "--from": "monday"], "A timeline shows one day"),
            (["--context": "household", "--member": "kid"], "shows all people"),
            (["--segment": "day", "--compare": ""], "--compare works only with the report total"),
            (["--segment": "hour", "--from": "2026-01-01"], "at most 400"),
            (["--segment": "day", "--from": "2024-01-01"], "at most 400"),
            (["--app": "x"], "Name the report with --context"), (["--context": ""], "the name of a report"),
            (["--context": "pie", "--by": "app"], "--by works only with the built-in reports"),
            (["--context": "pie", "--csv": ""], "--csv works only with the built-in reports"),
            (["--top": "0"], "--top is “0”"), (["--top": "500"], "at most 200"),
            (["--language": "fr"], "en and ko"),
            (["--language": "klingon!"], "it must be a code"),
            (["--json": "", "--csv": ""], "can write to standard output"),
            (["--html": "-", "--csv": "-"], "can write to standard output"),
            (["--dark": ""], "--dark applies only to pictures"),
            (["--html": "/nowhere/at/all/a.html"], "the folder /nowhere/at/all does not exist"),
            (["--csv": "/nowhere/at/all/a.csv"], "the folder /nowhere/at/all does not exist"),
            (["--png": "/tmp"], "is a folder"),
            (["--png": "-"], "needs the name of a file"), (["--svg": ""], "needs the name of a file"),
            (["--html": "/tmp/x", "--svg": "/tmp/x"], "the same file"),
            (["--html": "/tmp/x", "--csv": "/tmp/../tmp//x"], "the same file"),
            (["--context": "compare", "--from": "monday", "--to": "yesterday 12:00"], "needs whole days"),
            (["--follow": "", "--png": "/tmp/a.png"], "written only once"),
            (["--follow": "", "--csv": ""], "written only once"),
            (["--follow": "", "--html": "-"], "needs a file"),
            (["--open": "", "--html": "-"], "--open needs a page in a file"),
            (["--open": "", "--follow": ""], "--open needs a page in a file"),
            (["--follow": "", "--day": "yesterday"], "is in the past"),
        ] as [([String: String], String)]
    )
    func refused(given: [String: String], sentence: String) {
        do {
            _ = try options(given)
            Issue.record("\(given) was taken")
        } catch {
            let problem = error as? Problem
            #expect(problem?.message.contains(sentence) == true, "\(problem?.message ?? "\(error)")")
            #expect(problem?.code.hasPrefix("usage.") == true)
            #expect(problem?.help != nil)
        }
    }

    @Test("`report --csv` accepts a period that has too many bars for a chart")
    func programs() throws {
        #expect(try options(["--segment": "hour", "--from": "2026-01-01", "--csv": ""]).period.days == 324)
    }

    @Test("A report of a year by app requests the whole period and its twelve most used apps")
    func year() throws {
        let given = try options(["--from": "2025-11-21"])
        let questions = ReportRequests(.total, options: given, now: now, clock: .here)
        #expect(questions.main.segment == .whole)
        #expect(questions.main.by == [.app])
        #expect(questions.main.top == 12)
        #expect(questions.main.members == nil)
        #expect(questions.second?.by == [])
        #expect(questions.second?.segment == .day)
    }

    @Test("A day with a clock change has 23 hours, and a day starts at 01:00 if midnight is skipped")
    func clock() {
        // As in Berlin: an hour forward on 29 March 2026, at 01:00 UTC.
        let spring = WallTime(ms: 1_774_746_000_000)
        let berlin = ZonedClock { $0 < spring ? .seconds(3_600) : .seconds(7_200) }
        let day = CivilDate(year: 2026, month: 3, day: 29)
        #expect(berlin.start(of: day.adding(days: 1)) - berlin.start(of: day) == .seconds(23 * 3_600))
        #expect(berlin.exact(spring) == "2026-03-29T03:00:00+02:00")
        #expect(berlin.time(spring - .milliseconds(1)) == "01:59")
        // As in Beirut: from 00:00 to 01:00.
        let midnight = WallTime(ms: 1_774_735_200_000)
        let beirut = ZonedClock { $0 < midnight ? .seconds(7_200) : .seconds(10_800) }
        #expect(beirut.start(of: day) == midnight)
        #expect(beirut.day(midnight - .milliseconds(1)) == day.adding(days: -1))
        #expect(beirut.hour(midnight) == 1)
    }

    @Test(
        "A duration is written in English and Korean, in hours, minutes or seconds",
        arguments: [
            (Int64(7_500_000), "2 h 5 min", "2시간 5분"), (7_200_000, "2 h", "2시간"), (59_999, "59 s", "59초"),
            (0, "0 s", "0초"),
            (999, "0 s", "0초"), (300_000, "5 min", "5분"), (468_000_000, "130 h", "130시간"),
            (-5, "0 s", "0초"),
        ]
    )
    func durations(ms: Int64, english: String, korean: String) {
        #expect(ReportDates(.english).duration(.milliseconds(ms)) == english)
        #expect(ReportDates(.korean).duration(.milliseconds(ms)) == korean)
    }

    @Test("A range of days is written without repeated months and years")
    func ranges() {
        let (english, korean) = (ReportDates(.english), ReportDates(.korean))
        let day = CivilDate(year: 2026, month: 11, day: 20)
        #expect(english.range(day, day) == "Friday, 20 November 2026")
        #expect(korean.range(day, day) == "2026년 11월 20일 금요일")
        #expect(english.range(day.adding(days: -6), day) == "14 – 20 November 2026")
        #expect(korean.range(day.adding(days: -6), day) == "2026년 11월 14일 – 20일")
        #expect(english.range(day.adding(days: -30), day) == "21 October – 20 November 2026")
        #expect(korean.range(day.adding(days: -30), day) == "2026년 10월 21일 – 11월 20일")
        #expect(english.range(day, day.adding(days: 60)) == "20 November 2026 – 19 January 2027")
    }
}
