import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Testing

@testable import DeviceActivity

@Suite("Data of report extensions")
struct ResultsTests {
    @Test("Report data nests people, segments, categories, apps and sites, with names that are never nil")
    func nested() async throws {
        let pages = Pages.desk([
            [
                Pages.part(
                    "owner",
                    number: 0,
                    rows: [
                        Pages.row("mail", category: "work", usedMs: 1_000, pickups: 3),
                        Pages.row("browser", category: "web", usedMs: 500, site: "news.example"),
                        Pages.row("editor", category: "work", usedMs: 4_000),
                    ]
                ),
                Pages.part("owner", number: 1, rows: []),
                Pages.part(
                    "child",
                    number: 0,
                    rows: [Pages.row("game", category: "games", usedMs: 7_000)],
                    device: "phone"
                ),
            ]
        ])
        var lines: [String] = []
        for await data in pages.results {
            lines.append(
                "\(data.user.nameComponents?.givenName ?? "-") \(data.user.role) \(data.device.name ?? "-")"
            )
            #expect(data.device.model == .mac && data.lastUpdatedDate == Date(timeIntervalSince1970: 9))
            for await segment in data.activitySegments {
                lines.append(
                    " \(segment.dateInterval.start.timeIntervalSince1970) \(segment.totalActivityDuration)"
                )
                #expect(segment.longestActivity?.duration == 1 && segment.firstPickup != nil)
                #expect(segment.totalPickupsWithoutApplicationActivity == 1)
                for await category in segment.categories {
                    lines.append(
                        "  \(category.category.localizedDisplayName ?? "-") \(category.totalActivityDuration)"
                    )
                    #expect(category.category.token != nil)
                    for await app in category.applications {
                        let name = app.application.localizedDisplayName ?? "-"
                        lines.append("   \(name) \(app.totalActivityDuration) \(app.numberOfPickups)")
                        #expect(app.application.token != nil && app.application.bundleIdentifier != nil)
                        #expect(app.numberOfNotifications == 2)
                    }
                    for await site in category.webDomains {
                        lines.append("   \(site.webDomain.domain ?? "-") \(site.totalActivityDuration)")
                        #expect(site.webDomain.token != nil)
                    }
                }
            }
        }
        #expect(
            lines == [
                "Owner individual here", " 0.0 5.5", "  WORK 5.0", "   The editor 4.0 0", "   The mail 1.0 3",
                "  WEB 0.5", "   The browser 0.5 0", "   news.example 0.5", " 3600.0 0.0",
                "Child child phone", " 0.0 7.0", "  GAMES 7.0", "   The game 7.0 0",
            ]
        )
    }

    @Test("Parts of a segment from several pages form one segment")
    func parts() async {
        let asked = Pages.Asked()
        let pages = Pages.desk(
            [
                [Pages.part("owner", number: 0, rows: [Pages.row("a", category: "x", usedMs: 1)])], [],
                [
                    Pages.part("owner", number: 0, rows: [Pages.row("b", category: "x", usedMs: 2)]),
                    Pages.part("owner", number: 1, rows: [Pages.row("a", category: "x", usedMs: 3)]),
                ],
                [Pages.part("owner", number: 1, rows: [Pages.row("b", category: "x", usedMs: 4)])],
            ],
            asked: asked
        )
        var found: [[String]] = []
        for await data in pages.results {
            for await segment in data.activitySegments {
                var names: [String] = []
                for await category in segment.categories {
                    for await app in category.applications {
                        names.append(app.application.bundleIdentifier ?? "-")
                    }
                }
                found.append(names)
            }
        }
        #expect(found == [["b", "a"], ["b", "a"]])
        #expect(asked.count == 4)
    }

    @Test("Report pages are requested as needed, and a second iteration starts again")
    func lazy() async {
        let asked = Pages.Asked()
        let lists = (0..<8).map {
            [Pages.part("member\($0)", number: 0, rows: [Pages.row("a", category: "x", usedMs: 1)])]
        }
        let results = Pages.desk(lists, asked: asked).results
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next()?.user.appleID == "member0")
        #expect(asked.count == 1)
        #expect(await iterator.next()?.user.appleID == "member1")
        #expect(asked.count == 2)
        var people: [String] = []
        for _ in 0..<2 {
            for await data in results { people.append(data.user.appleID ?? "-") }
        }
        let once = (0..<8).map { "member\($0)" }
        #expect(people == once + once)
        iterator = results.makeAsyncIterator()
        while await iterator.next() != nil {}
        #expect(await iterator.next() == nil)
    }

    @Test("Report results can be iterated later, in any order, with sequence methods")
    func later() async {
        let results = Pages.desk(
            (0..<9).map { number in
                [Pages.part("a", number: Int64(number), rows: [Pages.row("a", category: "x", usedMs: 1_000)])]
            } + [[Pages.part("b", number: 0, rows: [Pages.row("a", category: "x", usedMs: 5_000)])]]
        ).results
        let people = await results.reduce(into: [DeviceActivityData]()) { $0.append($1) }
        var counts: [Int] = []
        for data in people.reversed() {
            counts.append(await data.activitySegments.reduce(0) { sum, _ in sum + 1 })
        }
        #expect(counts == [1, 9])
        let total = await results.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
        #expect(total == 14)
        #expect(people[0] != people[1] && Set(people).count == 2)
    }

    @Test("A person without data appears once, without segments")
    func unknown() async {
        let results = Pages.desk([
            [Pages.part("child", number: -1, rows: []), Pages.part("owner", number: 0, rows: [])]
        ]).results
        var counts: [String: Int] = [:]
        for await data in results {
            counts[data.user.appleID ?? "-"] = await data.activitySegments.reduce(0) { sum, _ in sum + 1 }
        }
        #expect(counts == ["child": 0, "owner": 1])
    }

    @Test("Names from a report are found by token")
    func names() async throws {
        let things = ReportThings()
        let pages = ReportPages(filter: Pages.filter, things: things) { _ in
            ReportData.Reply(parts: [
                Pages.part("owner", number: 0, rows: [Pages.row("mail", category: "work", usedMs: 1)])
            ])
        }
        for await _ in pages.results {}
        let row = Pages.row("mail", category: "work", usedMs: 1)
        let token = try #require(Data(base64Encoded: row.application?.token ?? ""))
        #expect(things.name(of: token) == "The mail" && things.name(of: Data([1])) == nil)
    }
}

@Suite("Reports with broken data")
struct BrokenPagesTests {
    private func count(_ pages: ReportPages) async -> Int {
        var count = 0
        for await data in pages.results {
            for await _ in data.activitySegments { count += 1 }
        }
        return count
    }

    @Test("A report ends where its data is interrupted, and records the problem")
    func refused() async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            guard next == nil else { throw Problem("service.busy", "Later.") }
            let rows = [Pages.row("a", category: "x", usedMs: 1)]
            return ReportData.Reply(
                parts: [
                    Pages.part("owner", number: 0, rows: rows), Pages.part("owner", number: 1, rows: rows),
                ],
                next: "1"
            )
        }
        // The second part may continue on the missing page, so it is not a complete segment.
        #expect(await count(pages) == 1)
        #expect(pages.problem?.code == "service.busy")
        #expect(await count(pages) == 0)
    }

    @Test("A cycle of report pages ends with a problem", arguments: ["0", "1"])
    func circle(_ back: String) async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            let number = Int64(next ?? "0") ?? 0
            return ReportData.Reply(
                parts: [Pages.part("owner", number: number, rows: [])],
                next: next == nil ? "0" : next == "0" ? "1" : back
            )
        }
        #expect(await count(pages) <= 3)
        #expect(pages.problem?.code == "report.endless")
    }

    @Test("A report ends with a problem after endless empty pages")
    func endless() async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            ReportData.Reply(parts: [], next: "\((Int(next ?? "0") ?? 0) + 1)")
        }
        #expect(await count(pages) == 0)
        #expect(pages.problem?.code == "report.endless")
    }

    @Test("A report that reads for too long receives no more data")
    func late() async {
        let pages = Pages.desk(
            [[Pages.part("owner", number: 0, rows: [])]],
            patience: WaitLimit(milliseconds: 0)
        )
        #expect(await count(pages) == 0)
        #expect(pages.problem?.code == "report.read_too_long")
    }

    @Test("A report is complete although its process was suspended for five minutes")
    func stalled() async {
        let before = Stopwatch.milliseconds() - 300_000
        let pages = Pages.desk(
            [[Pages.part("owner", number: 0, rows: [])]],
            patience: WaitLimit(milliseconds: 60_000, nowMs: before)
        )
        #expect(await count(pages) == 1)
    }

    @Test("Impossible numbers in a report are read without a crash")
    func impossible() async {
        var part = Pages.part("owner", number: 0, rows: [])
        part.rows = [
            Pages.row("a", category: "x", usedMs: .max), Pages.row("b", category: "x", usedMs: .max),
        ]
        part.startWallMs = .max
        part.endWallMs = .min
        part.longestStartWallMs = .min
        part.longestEndWallMs = .min
        part.idlePickups = .max
        let pages = Pages.desk([[part]])
        for await data in pages.results {
            for await segment in data.activitySegments {
                #expect(segment.dateInterval.duration == 0)
                for await category in segment.categories { #expect(category.totalActivityDuration > 0) }
            }
        }
        #expect(await count(pages) == 1)
    }

    @Test("Reading broken report data throws Apple's errors")
    func app() async throws {
        let expected: [(String, DeviceActivityData.Error)] = [
            ("auth.unauthorized", .unauthorized), ("report.unauthorized", .unauthorized),
            ("service.not_running", .unavailable), ("deadline.exceeded", .unavailable),
            ("reply.invalid", .missingData),
        ]
        for (code, error) in expected {
            let data = ThrowingActivityData(filter: Pages.filter) { _ in throw Problem(code, "No.") }
            await #expect(throws: error) { for try await _ in data {} }
            #expect(error.errorDescription != nil && error.recoverySuggestion != nil)
        }
        let data = ThrowingActivityData(filter: Pages.filter) { _ in
            ReportData.Reply(parts: [Pages.part("owner", number: 0, rows: [])])
        }
        var count = 0
        for try await _ in data { count += 1 }
        #expect(count == 1)
    }
}
