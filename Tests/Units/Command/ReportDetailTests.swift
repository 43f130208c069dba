import STCommandCore
import STContracts
import STPlatform
import STRendering
import Testing

/// Words, names and figures of reports in the less usual cases.
@Suite("The details of reports")
struct ReportDetailTests {
    private let desk = SceneDesk()

    private func questions(_ scene: ReportTemplate, _ more: [String: String]) throws -> ReportRequests {
        let options = try desk.options(scene, language: .english, more: more)
        return ReportRequests(scene, options: options, now: ReportHouse.now, clock: ReportHouse.clock)
    }

    private func texts(_ input: ReportInput, _ scene: ReportTemplate) -> String {
        SceneDesk.texts(scene.page(input)).joined(separator: "\n")
    }

    @Test(
        "A page written together with JSON or CSV requests the same data as a page written without them",
        arguments: ["--json", "--csv"]
    )
    func beside(option: String) throws {
        let table = option == "--csv" ? "/tmp/a.csv" : ""
        for scene in [ReportTemplate.household, .pickups, .total] {
            let alone = try questions(scene, ["--html": "/tmp/a.html"])
            let both = try questions(scene, ["--html": "/tmp/a.html", option: table])
            #expect(alone.second != nil && both.second == alone.second)
            #expect(try questions(scene, [option: table]).second == nil)
        }
        #expect(try questions(.pickups, ["--png": "/tmp/a.png", option: table]).main.by == [.app])
        let household = try desk.input(
            .household,
            language: .english,
            more: ["--html": "/tmp/a.html", option: table]
        )
        #expect(!texts(household, .household).contains("No usage was recorded."))
        let pickups = try desk.input(
            .pickups,
            language: .english,
            more: ["--html": "/tmp/a.html", option: table]
        )
        #expect(!texts(pickups, .pickups).contains("None."))
    }

    @Test("Report requests contain the time zone of their clock, if it has one")
    func zone() throws {
        let zoned = ZonedClock(zone: "Asia/Seoul") { _ in ReportHouse.offset }
        let options = try desk.options(.total, language: .english)
        let questions = ReportRequests(.total, options: options, now: ReportHouse.now, clock: zoned)
        #expect(questions.main.zone == "Asia/Seoul" && questions.second?.zone == "Asia/Seoul")
        #expect(try self.questions(.total, [:]).main.zone == nil)
    }

    @Test("Adjacent segments of two pages are joined only if their end and day are equal")
    func pages() {
        func reply(_ end: Int64, _ day: String) -> ReportUsage.Reply {
            ReportUsage.Reply(
                zone: "UTC",
                segments: [
                    ReportUsageSegment(
                        startWallMs: 0,
                        endWallMs: end,
                        day: day,
                        usedMs: 1,
                        absentMs: 0,
                        unobservedMs: 0,
                        shieldedMs: 0,
                        pickups: 0,
                        idlePickups: 0,
                        notifications: 0,
                        rows: [ReportUsageRow(app: "a", usedMs: 1, pickups: 0, notifications: 0)]
                    )
                ],
                since: nil,
                isOpen: false
            )
        }
        for (end, day, count) in [(Int64(9), "2026-11-20", 1), (8, "2026-11-20", 2), (9, "2026-11-19", 2)] {
            var whole = reply(9, "2026-11-20")
            whole.append(reply(end, day))
            #expect(whole.segments.count == count)
            #expect(whole.segments.reduce(0) { $0 + $1.rows.count } == 2)
        }
    }

    @Test("Equal usage in two periods is described with the correct Korean particle")
    func particle() throws {
        var input = try desk.input(.total, language: .korean)
        input.source.second?.segments = []
        #expect(texts(input, .total).contains("전날 같은 시각과 같습니다"))
    }

    @Test(
        "If a report has too many bars, the suggested options are accepted and keep a given last day",
        arguments: [
            ["--segment": "hour", "--from": "2026-01-01"], ["--segment": "hour", "--from": "2018-01-01"],
            ["--segment": "day", "--from": "2024-01-01"], ["--segment": "day", "--from": "2018-01-01"],
            ["--segment": "week", "--from": "2018-01-01", "--to": "2026-11-01"],
            ["--context": "compare", "--from": "2024-01-01"],
            ["--context": "pickups", "--from": "2024-01-01"],
        ]
    )
    func help(given: [String: String]) throws {
        func options(_ given: [String: String]) throws -> ReportOptions {
            let invocation = Invocation(
                subjects: [],
                options: given,
                environment: [:],
                directories: Directories(run: "/nowhere", state: "/nowhere", config: "/nowhere"),
                terminal: Terminal(isTerminal: false, isColoured: false, columns: 100)
            )
            return try ReportOptions(invocation, now: ReportHouse.now, ReportHouse.clock)
        }
        let problem = #expect(throws: Problem.self) { try options(given) }
        let words = (problem?.help ?? "").split(separator: " ").dropFirst(2).map(String.init)
        var next: [String: String] = [:]
        for place in stride(from: 0, to: words.count - 1, by: 2) { next[words[place]] = words[place + 1] }
        #expect(next != given && next["--from"] != nil, "\(problem?.help ?? "")")
        let taken = try options(next)
        #expect(given["--to"] == nil || taken.period.lastDay.text == given["--to"])
    }

    @Test("This computer has a translated name in a report, and another device has its own name")
    func devices() throws {
        var input = try desk.input(.total, language: .korean, more: ["--by": "device"])
        input.source.usage.segments[0].rows.append(
            ReportUsageRow(device: "d2", usedMs: 60_000, pickups: 0, notifications: 0)
        )
        #expect(texts(input, .total).contains("이 컴퓨터: "))
        #expect(texts(input, .total).contains("Phone: "))
        input.language = .english
        #expect(texts(input, .total).contains("This computer: "))
    }

    @Test("A report shortens the reverse-domain id of an app and keeps other ids unchanged")
    func names() throws {
        var input = try desk.input(.total, language: .english)
        input.source.usage.segments[0].rows = ["gimp-2.10", "org.mozilla.firefox", "a.b", "x.y.3"].map {
            ReportUsageRow(app: $0, usedMs: 60_000, pickups: 0, notifications: 0)
        }
        for name in ["gimp-2.10: ", "Firefox: ", "a.b: ", "x.y.3: "] {
            #expect(texts(input, .total).contains("\n" + name))
        }
    }

    @Test("A comparison has the period in its title and states up to which time categories are compared")
    func compare() throws {
        let input = try desk.input(.compare, language: .english)
        let page = ReportTemplate.compare.page(input)
        #expect(page.title?.hasPrefix("Week compared with the week before") == true)
        #expect(texts(input, .compare).contains("Categories up to yesterday"))
        let chart = try #require(page.variants[0].nodes.compactMap(\.chart).last)
        let clock = ReportHouse.clock
        let today = clock.start(of: CivilDate(year: 2026, month: 11, day: 20))
        let full = input.source.usage.segments.filter { segment in
            (input.period.from..<today).contains(WallTime(ms: segment.startWallMs))
        }
        let shown = chart.marks.reduce(0) { $0 + ($1.x?.number ?? 0) }
        #expect(abs(shown - Double(full.reduce(0) { $0 + $1.usedMs }) / 1000) < 0.01)

        let day = try desk.input(.compare, language: .english, more: ["--day": "2026-11-20"])
        #expect(texts(day, .compare).contains("Day compared with the day before"))
        #expect(texts(day, .compare).contains("Categories by 21:00"))
        let three = try desk.input(
            .compare,
            language: .korean,
            more: ["--from": "2026-11-10", "--to": "2026-11-12"]
        )
        #expect(texts(three, .compare).contains("그 전 3일과 비교"))
        // On its first day nothing of a week is over.
        var monday = try desk.input(.compare, language: .english)
        monday.now = input.period.from + .seconds(3_600)
        #expect(!texts(monday, .compare).contains("before: "))
    }

    @Test("Compared years have different names, and days in a report of more than a year contain the year")
    func years() throws {
        /// A minute each day.
        func charts(_ scene: ReportTemplate, _ more: [String: String]) throws -> [PageChart] {
            var input = try desk.input(scene, language: .english, more: more)
            let row = ReportUsageRow(category: "games", usedMs: 60_000, pickups: 0, notifications: 0)
            for place in input.source.usage.segments.indices {
                input.source.usage.segments[place].usedMs = 60_000
                input.source.usage.segments[place].rows = [row]
            }
            return scene.page(input).variants[0].nodes.compactMap(\.chart)
        }
        let years = try charts(.compare, ["--from": "2023-01-01", "--to": "2023-12-31"])
        #expect(
            years.first?.series.map(\.name) == [
                "1 January – 31 December 2022", "1 January – 31 December 2023",
            ]
        )
        let says = try charts(.days, ["--from": "2025-10-21"]).first?.marks.compactMap(\.says) ?? []
        #expect(says.contains { $0.contains(" 2026, ") } && !says.contains { $0.contains("′") })
    }

    @Test("A pickup report shows the busiest hour as a time, and no such hour if there are no pickups")
    func pickups() throws {
        var input = try desk.input(.pickups, language: .english)
        let text = texts(input, .pickups)
        #expect(text.contains(#/Most at [0-9]{2}:00: /#), "\(text)")
        for place in input.source.usage.segments.indices {
            input.source.usage.segments[place].pickups = 0
        }
        #expect(!texts(input, .pickups).contains("Most "))
    }

    @Test("Absence is shown in a report of one member and omitted in a report of all members")
    func absence() throws {
        #expect(
            !texts(try desk.input(.total, language: .english), .total).contains("No one was at the computer")
        )
        let kid = try desk.input(.total, language: .english, more: ["--member": "kid"])
        #expect(texts(kid, .total).contains("No one was at the computer for"))
    }
}
