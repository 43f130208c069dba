import STCommandCore
import STContracts
import STPlatform
import STRendering
import Testing

@Suite("Built-in reports")
struct BuiltInSceneTests {
    private let desk = SceneDesk()

    @Test(
        "Each built-in report is a valid page with labelled charts in both languages",
        arguments: ReportTemplate.allCases
    )
    func pages(scene: ReportTemplate) throws {
        for language in DisplayLanguage.all {
            let page = try desk.page(scene, language: language)
            try PageCheck.check(page)
            #expect(page.language == language.code)
            #expect(page.zone == "Asia/Seoul")
            let nodes = page.variants[0].nodes
            #expect(nodes.contains { $0.heading == 1 })
            for node in nodes {
                guard let chart = node.chart else { continue }
                #expect(chart.summary?.isEmpty == false || chart.series.isEmpty, "\(scene)")
                #expect(chart.marks.allSatisfy { $0.says?.isEmpty == false }, "\(scene)")
                #expect(chart.valueName != nil && chart.keyName != nil)
                let names = chart.series.map(\.name)
                #expect(Set(names).count == names.count)
                #expect(chart.marks.allSatisfy { $0.series == nil || names.contains($0.series ?? "") })
            }
        }
    }

    @Test("The app icons of a report are as high as its bars, and no drawing of the bars is scaled")
    func icons() throws {
        let page = try desk.page(.total, language: .english, more: ["--by": "app"])
        let frames = page.variants[0].nodes.compactMap { $0.box?.frame }
        let icons = frames.filter { $0.width == 22 }.compactMap(\.height).reduce(0, +)
        #expect(icons > 0)
        #expect(frames.contains { $0.width == nil && abs(($0.height ?? 0) - icons) < 0.01 })
        // An icon has a fixed size, so that no drawing of the bars may be scaled.
        let html = PageHTML.document(page, HTMLOptions(theme: .light))
        let drawing = /<svg class="([a-z])" viewBox="0 0 (\d+) [^>]*max-width:(\d+)px/
        let drawings = html.matches(of: drawing)
        #expect(drawings.map { String($0.output.1) }.joined() == "uknxy")
        #expect(drawings.allSatisfy { $0.output.2 == $0.output.3 })
    }

    @Test(
        "Each report mentions unobserved time, shielded time and the start of recording in both languages",
        arguments: ReportTemplate.allCases
    )
    func remarks(scene: ReportTemplate) throws {
        let english = SceneDesk.texts(try desk.page(scene, language: .english)).joined(separator: "\n")
        #expect(english.contains("counts neither as usage nor as absence"))
        #expect(english.contains("with a shield in the foreground"))
        #expect(english.contains("Recorded since 19 October 2026, 09:00"))
        #expect(english.contains("Counted up to 21:40 today"))
        let korean = SceneDesk.texts(try desk.page(scene, language: .korean)).joined(separator: "\n")
        for part in ["보지 못한 시간", "차단 화면 앞에서", "2026년 10월 19일 09:00부터"] {
            #expect(korean.contains(part))
        }
    }

    @Test(
        "The values in the first chart of a report add up to the total usage",
        arguments: [ReportTemplate.total, .categories, .apps, .hours, .days, .weeks]
    )
    func sums(scene: ReportTemplate) throws {
        let input = try desk.input(scene, language: .english)
        let total = input.source.usage.segments.reduce(0) { $0 + $1.usedMs }
        let page = scene.page(input)
        let chart = try #require(page.variants[0].nodes.first { $0.chart != nil }?.chart)
        let shown = chart.marks.reduce(0) {
            $0 + ($1.angle ?? (scene == .total ? $1.x?.number : $1.y?.number) ?? 0)
        }
        var rest = 0.0
        if scene == .total {
            rest = Double(input.source.usage.segments.reduce(0) { $0 + ($1.restMs ?? 0) }) / 1000
        }
        #expect(abs(shown + rest - Double(total) / 1000) < 0.001)
        #expect(total > 0)
    }

    @Test("A report compares an unfinished day with the same full hours of the day before")
    func today() throws {
        let input = try desk.input(.total, language: .english)
        let texts = SceneDesk.texts(ReportTemplate.total.page(input))
        let sentence = try #require(texts.first { $0.hasPrefix("By 21:00: ") })
        let second = try #require(input.source.second)
        let border = input.period.from.ms
        let now = second.segments.filter { $0.startWallMs >= border }
        let then = second.segments.filter {
            $0.startWallMs < border && ReportHouse.clock.hour(WallTime(ms: $0.startWallMs)) < 21
        }
        #expect(now.count == 21 && then.count == 21)
        let difference = now.reduce(0) { $0 + $1.usedMs } - then.reduce(0) { $0 + $1.usedMs }
        let words = ReportDates(.english).duration(.milliseconds(difference.magnitude))
        #expect(sentence.contains(words + (difference > 0 ? " more" : " less")))
    }

    @Test("A report compares a finished day with the day before")
    func yesterday() throws {
        let day = CivilDate(year: 2026, month: 11, day: 19)
        let period = ReportPeriod(day, last: day, clock: ReportHouse.clock)
        let input = try desk.input(.total, language: .english, period: period)
        #expect(input.source.second == nil)
        let texts = SceneDesk.texts(ReportTemplate.total.page(input))
        #expect(
            texts.contains { $0.contains("than the day before") || $0.contains("as the day before") },
            "\(texts)"
        )
        #expect(!texts.contains { $0.contains("Counted up to") })
    }

    @Test("A report without a complete earlier period notes this and contains no comparison")
    func young() throws {
        var input = try desk.input(.total, language: .english)
        input.source.usage.since = "2026-11-19T03:00:00.000Z"
        let texts = SceneDesk.texts(ReportTemplate.total.page(input))
        #expect(texts.contains { $0.contains("no complete earlier period") })
        #expect(!texts.contains { $0.contains(" than ") })
    }

    @Test(
        "A report without data shows that nothing was recorded and what is not included, and has no chart",
        arguments: ReportTemplate.allCases
    )
    func empty(scene: ReportTemplate) throws {
        var input = try desk.input(scene, language: .english)
        input.source.usage.segments = []
        input.source.usage.since = nil
        input.source.intervals = []
        let page = scene.page(input)
        try PageCheck.check(page)
        let texts = SceneDesk.texts(page).joined(separator: "\n")
        #expect(texts.contains("No usage was recorded."))
        #expect(texts.contains("Nothing has been recorded on this computer yet."))
        #expect(texts.contains("Not included: devices"))
        #expect(!page.variants[0].nodes.contains { $0.chart != nil })
    }

    @Test(
        "Each report begins with a warning if the session cannot be observed",
        arguments: ReportTemplate.allCases
    )
    func blind(scene: ReportTemplate) throws {
        var input = try desk.input(scene, language: .english)
        input.source.desktop = .success(
            DesktopStatus.Reply(
                source: "none",
                reason: Message(verbatim: "no display"),
                seen: 0,
                waiting: 0
            )
        )
        input.source.isDemo = true
        let texts = SceneDesk.texts(scene.page(input))
        #expect(texts[0].hasPrefix("Screen Time cannot see anything on this screen."))
        #expect(texts[0].contains("no display"))
        #expect(texts.contains("DEMO: not your own data"))

        input.language = .korean
        input.source.desktop = .failure(Problem("service.not_running", "desktop-agent is not running."))
        #expect(SceneDesk.texts(scene.page(input))[0].contains("볼 수 없어서"))
    }

    @Test("Equal app names are shown with their ids, control characters are replaced, and HTML is escaped")
    func names() throws {
        var input = try desk.input(.total, language: .english)
        let rows = [("a.one", "Same"), ("b.two", "Same"), ("c", "<b>x</b>\u{1B}[31m")].map { app, label in
            ReportUsageRow(app: app, label: label, usedMs: 60_000, pickups: 0, notifications: 0)
        }
        input.source.usage.segments[0].rows = rows
        let page = ReportTemplate.total.page(input)
        let chart = try #require(page.variants[0].nodes.compactMap(\.chart).first)
        #expect(chart.y?.categories == ["Same (a.one)", "Same (b.two)", "<b>x</b>·[31m"])
        let html = PageHTML.document(page)
        #expect(!html.contains("<b>x</b>"))
        #expect(html.contains("&lt;b&gt;x"))
    }

    @Test("A report limited by --top shows the number of remaining entries")
    func more() throws {
        let input = try desk.input(.total, language: .korean, more: ["--top": "3"])
        let texts = SceneDesk.texts(ReportTemplate.total.page(input))
        let count = try #require(input.source.usage.segments[0].restCount)
        #expect(texts.contains { $0.hasPrefix("그 밖에 \(count)개, ") })
    }

    @Test("A report by site lists the sites, and the usage without a site separately")
    func sites() throws {
        let texts = SceneDesk.texts(try desk.page(.total, language: .english, more: ["--by": "site"]))
        #expect(texts.contains { $0.hasPrefix("youtube.com: ") })
        #expect(texts.contains { $0.hasPrefix("Usage without a site: ") })
    }
}
