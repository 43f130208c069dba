import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Testing

@testable import DeviceActivity

@Suite("Reports with broken data")
struct BrokenPagesTests {
    private func count(_ pages: ReportPages) async -> Int {
        var count = 0
        for await data in pages.results {
            for await _ in data.activitySegments { count += 1 }
        }
        return count
    }

    @Test("a report ends where its data breaks off, and says why")
    func refused() async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            guard next == nil else { throw Problem("service.busy", "Later.") }
            let rows = [Pages.row("a", "x", 1)]
            return ReportData.Reply(
                parts: [Pages.part("owner", 0, rows), Pages.part("owner", 1, rows)],
                next: "1"
            )
        }
        // The second may go on where the page is missing, so it is none.
        #expect(await count(pages) == 1)
        #expect(pages.problem?.code == "service.busy")
        #expect(await count(pages) == 0)
    }

    @Test("report pages that lead back to earlier ones end", arguments: ["0", "1"])
    func circle(_ back: String) async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            let number = Int64(next ?? "0") ?? 0
            return ReportData.Reply(
                parts: [Pages.part("owner", number, [])],
                next: next == nil ? "0" : next == "0" ? "1" : back
            )
        }
        #expect(await count(pages) <= 3)
        #expect(pages.problem?.code == "report.endless")
    }

    @Test("endless empty report pages end, too")
    func endless() async {
        let pages = ReportPages(filter: Pages.filter, things: ReportThings()) { next in
            ReportData.Reply(parts: [], next: "\((Int(next ?? "0") ?? 0) + 1)")
        }
        #expect(await count(pages) == 0)
        #expect(pages.problem?.code == "report.endless")
    }

    @Test("a report that reads for too long gets no more data")
    func late() async {
        let pages = Pages.desk([[Pages.part("owner", 0, [])]], readMs: 0)
        #expect(await count(pages) == 0)
        #expect(pages.problem?.code == "report.read_too_long")
    }

    @Test("impossible figures in a report are read without harm")
    func impossible() async {
        var part = Pages.part("owner", 0, [])
        part.rows = [Pages.row("a", "x", .max), Pages.row("b", "x", .max)]
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

    @Test("an app gets Apple's errors for broken report data")
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
            ReportData.Reply(parts: [Pages.part("owner", 0, [])])
        }
        var count = 0
        for try await _ in data { count += 1 }
        #expect(count == 1)
    }
}
