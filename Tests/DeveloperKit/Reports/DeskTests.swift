import Foundation
import STClientLink
import STContracts
import STPlatform
import STRendering
import SwiftUI
import Synchronization
import Testing

@testable import DeviceActivity
@testable import _DeviceActivity_SwiftUI

@Suite("ReportDesk")
@MainActor
struct DeskTests {
    private func call(_ method: String = "make_report", _ body: ReportCallBody = ReportCallBody()) throws
        -> ExtensionCall
    {
        ExtensionCall(
            id: "R",
            attempt: 1,
            method: method,
            body: try JSONValue(text: body.encodedBody()),
            wallMs: 1_000_000_000_000,
            deadlineMs: 30_000
        )
    }

    private func desk(_ report: some DeviceActivityReportExtension, _ channel: ReportLink) -> ReportDesk {
        ReportDesk(link: channel.link) { ReportScene.all(of: report.body) }
    }

    private func make(
        _ context: String,
        report: some DeviceActivityReportExtension = Reports.Usual(),
        channel: ReportLink = ReportLink(parts: [])
    ) async throws -> ReportCallResult {
        try await desk(report, channel).result(
            of: call("make_report", ReportCallBody(context: context, filter: Pages.filter, language: "ko"))
        )
    }

    private func code(_ context: String, _ report: some DeviceActivityReportExtension = Reports.Usual()) async
        -> String?
    {
        do {
            _ = try await make(context, report: report)
            return nil
        } catch { return (error as? Problem)?.code }
    }

    @Test("A report extension lists each of its reports once")
    func contexts() async throws {
        let channel = ReportLink(parts: [])
        let result = try await desk(Reports.Usual(), channel).result(of: call("contexts"))
        #expect(result == ReportCallResult(contexts: ["seconds", "blank", "spaces", "line"]))
        #expect(
            try await desk(Reports.Doubled(), channel).result(of: call("contexts")).contexts == [
                "seconds", "line",
            ]
        )
        #expect(
            try await desk(Reports.Single(), channel).result(of: call("contexts")).contexts == ["seconds"]
        )
        #expect(channel.requests.isEmpty)
    }

    @Test("A report extension makes the page of a report repeatedly")
    func page() async throws {
        let channel = ReportLink(parts: [
            Pages.part("owner", number: 0, rows: [Pages.row("mail", category: "work", usedMs: 1_500)]),
            Pages.part("owner", number: 1, rows: [Pages.row("mail", category: "work", usedMs: 500)]),
        ])
        let desk = desk(Reports.Usual(), channel)
        for _ in 0..<3 {
            let body = ReportCallBody(
                context: "seconds",
                filter: Pages.filter,
                language: "ko",
                zone: "Asia/Seoul"
            )
            let page = try #require(try await desk.result(of: call("make_report", body)).page)
            #expect(page.variants.first?.nodes.first?.runs?.first?.text == "2.000000 s")
            #expect(page.language == "ko" && page.zone == "Asia/Seoul")
        }
        #expect(channel.requests.map(\.route) == ["report.data", "report.data", "report.data"])
        let asked = try ReportData.Request.decodedBody(channel.requests[0].body)
        #expect(asked.app == "org.example.charts" && asked.filter == Pages.filter && asked.language == "ko")
    }

    @Test("The time zone of a report is set only through the extension's process")
    func zone() async throws {
        let before = TimeZone.current
        let zones = Mutex<[String]>([])
        let body = ReportCallBody(context: "line", filter: Pages.filter, zone: "Pacific/Chatham")
        let desk = ReportDesk(
            link: ReportLink(parts: []).link,
            useZone: { zone in zones.withLock { $0.append(zone.identifier) } }
        ) { ReportScene.all(of: Reports.Usual().body) }
        let page = try await desk.result(of: call("make_report", body)).page
        #expect(page?.zone == "Pacific/Chatham" && zones.withLock { $0 } == ["Pacific/Chatham"])
        #expect(TimeZone.current == before)
    }

    @Test(
        "A system language becomes the language tag of a page",
        arguments: [
            ("en_US", "en-US"), ("ko_KR", "ko-KR"), ("ko_KR.UTF-8", "ko-KR"), ("ko", "ko"), ("C", "en"),
        ]
    )
    func language(_ given: String, _ expected: String) async throws {
        let body = ReportCallBody(context: "line", filter: Pages.filter, language: given)
        let page = try #require(
            try await desk(Reports.Usual(), ReportLink(parts: [])).result(of: call("make_report", body)).page
        )
        #expect(page.language == expected)
        try PageCheck.check(page)
    }

    @Test("A report without a filter covers the day of the call by the hour")
    func today() async throws {
        let channel = ReportLink(parts: [])
        _ = try await desk(Reports.Usual(), channel).result(
            of: call("make_report", ReportCallBody(context: "line"))
        )
        _ = try await desk(Reports.Usual(), channel).result(
            of: call("make_report", ReportCallBody(context: "seconds"))
        )
        let filter = try ReportData.Request.decodedBody(channel.requests[0].body).filter
        let start = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1e9))
        #expect(filter.segment == .hour && filter.toWallMs == 1_000_000_000_000)
        #expect(filter.fromWallMs == Int64(start.timeIntervalSince1970) * 1000)
        // The scene that does not read the data sent no request.
        #expect(channel.requests.count == 1)
    }

    @Test("A report extension fails with a problem where a phone shows a blank view")
    func problems() async throws {
        #expect(await code("blank") == "report.empty")
        #expect(await code("spaces") == "report.empty")
        #expect(await code("line") == nil)
        #expect(await code("second") == "report.unknown_context")
        #expect(await code("seconds", Reports.Doubled()) == "report.context_twice")
        #expect(await code("line", Reports.Doubled()) == nil)
        #expect(await code("line", Reports.Empty()) == "report.no_scenes")
        await #expect(throws: Problem.self) {
            try await desk(Reports.Usual(), ReportLink(parts: [])).result(of: call("dance"))
        }
        do {
            _ = try await make("secnds")
        } catch {
            let text = "\(error)"
            for name in ["seconds", "blank", "spaces", "line"] { #expect(text.contains("“\(name)”")) }
            #expect(text.contains("Did you mean “seconds”?"))
        }
    }

    @Test("Incomplete data gives a problem instead of a report")
    func broken() async throws {
        let channel = ReportLink { request in
            let next = try ReportData.Request.decodedBody(request.body).next
            guard next == nil else { throw Problem("service.busy", "Later.") }
            return try ReportData.Reply(parts: [Pages.part("owner", number: 0, rows: [])], next: "1")
                .encodedBody()
        }
        await #expect(throws: Problem("service.busy", "Later.")) {
            _ = try await make("seconds", report: Reports.Usual(), channel: channel)
        }
    }

    @Test("A report on an app's page is a node with context and filter")
    func place() throws {
        let day = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 86_400)
        let filter = DeviceActivityFilter(segment: .daily(during: day), users: .all, devices: .all)
        let page = try PageBuilder.page(
            of: VStack {
                Text("Today")
                DeviceActivityReport(.init("seconds"), filter: filter)
            }
        )
        let report = try #require(page.variants[0].nodes.last?.report)
        #expect(report == PageReport(context: "seconds", filter: filter.wire))
    }
}
