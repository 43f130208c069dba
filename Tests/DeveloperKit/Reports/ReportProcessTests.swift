import Foundation
import STContracts
import STExtensions
import STPlatform
import Testing

@Suite("Report extensions as processes")
struct ReportProcessTests {
    private static let parts = [
        Pages.part(
            "owner",
            number: 0,
            rows: [
                Pages.row("mail", category: "work", usedMs: 60_000, pickups: 2),
                Pages.row("game", category: "games", usedMs: 30_000),
            ]
        ),
        Pages.part("owner", number: 1, rows: [Pages.row("mail", category: "work", usedMs: 1_000)]),
    ]

    private func words(_ page: Page?) -> [String] {
        page?.variants.first?.nodes.compactMap { $0.runs?.map(\.text).joined() } ?? []
    }

    @Test(
        "A report extension process makes its reports repeatedly, in both language modes",
        arguments: ["screentime-sample-report", "screentime-sample-report-six"]
    )
    func reports(_ program: String) async throws {
        let host = try ReportHost(program: program, parts: Self.parts)
        let contexts = try await host.ask(.contexts)
        var pages: [Page?] = []
        for context in ["total", "pie", "hours", "total"] { pages.append(try await host.make(context)?.page) }
        await host.stop()

        let named = try ReportCallResult.decodedBody(try #require(contexts.result).text).contexts
        #expect(named.prefix(4) == ["total", "pie", "hours", "nothing"] && named.count == 10)
        #expect(pages[0] == pages[3])
        let total = words(pages[0])
        #expect(total == ["Owner: 1m 31s", "T", "The mail", "1m 1s", "2x", "T", "The game", "30s", "0x"])
        let pie = try #require(pages[1])
        let chart = try #require(pie.variants[0].nodes.compactMap(\.chart).first)
        #expect(chart.marks.map(\.angle) == [61, 30] && chart.series.map(\.name) == ["WORK", "GAMES"])
        #expect(pie.controls.map(\.options) == [["", "WORK", "GAMES"]])
        #expect(
            pie.variants.map { $0.nodes.compactMap { $0.runs?.first?.text }.last } == [
                "All", "WORK", "GAMES",
            ]
        )
        #expect(pie.variants[2].nodes.compactMap(\.chart).first?.marks.map(\.opacity) == [0.4, 1])
        let hours = try #require(pages[2]?.variants[0].nodes.compactMap(\.chart).first)
        #expect(hours.x?.unit == .date && hours.x?.step == .hour)
        #expect(hours.y?.ticks?.map(\.label) == ["0 m", "30 m", "60 m"])
        #expect(Set(host.routes) == ["report.data"])
    }

    @Test(
        "A report extension gives a problem for a report that cannot be made and continues",
        arguments: [
            ("nothing", "report.empty"), ("huge", "page.too_large"), ("deep", "page.too_deep"),
            ("absent", "report.unknown_context"),
        ]
    )
    func problems(_ context: String, _ code: String) async throws {
        let host = try ReportHost(parts: Self.parts)
        let outcome = try await host.ask(.makeReport, context)
        // The extension remains available for the next call.
        let next = try await host.make("total")
        await host.stop()

        #expect(outcome.result == nil && outcome.problem?.details["code"] == code)
        #expect(next?.page != nil)
    }

    @Test("A report extension has no access to the network")
    func network() async throws {
        let host = try ReportHost(parts: Self.parts)
        let page = try await host.make("net")?.page
        await host.stop()

        let answer = try #require(words(page).first)
        #expect(answer == "unreachable" || answer.hasPrefix("no socket"), "\(answer)")
    }

    @Test("A report extension that hangs, uses too much memory or crashes is replaced")
    func endings() async throws {
        let hasty = try ReportHost({ $0.callTimeout = .seconds(2) }, parts: Self.parts)
        let endless = try await hasty.ask(.makeReport, "endless")
        await hasty.stop()
        // A time limit that is also sufficient on a busy machine.
        let host = try ReportHost(parts: Self.parts)
        let greedy = try await host.ask(.makeReport, "greedy")
        let crash = try await host.ask(.makeReport, "crash")
        let next = try await host.make("total")
        await host.stop()

        #expect(endless.problem?.code == "extension.timed_out")
        #expect(
            greedy.problem?.code == "extension.out_of_memory"
                || greedy.problem?.code.contains("memory") == true
        )
        #expect(crash.problem != nil && crash.result == nil)
        #expect(next?.page != nil)
    }

    @Test("A report is made after an earlier one timed out")
    func afterEndless() async throws {
        let host = try ReportHost({ $0.callTimeout = .seconds(5) }, parts: Self.parts)
        let endless = try await host.ask(.makeReport, "endless")
        let next = try await host.make("total")
        await host.stop()

        #expect(endless.result == nil && next?.page != nil)
    }
}
