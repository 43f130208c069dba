import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Content of usage reports")
struct UsageTellingTests {
    private var desk: ReportDesk

    init() throws { desk = try ReportDesk() }

    /// A time in Seoul on 2026-11-20.
    private static func seoul(_ hour: Int) -> Int64 {
        ReportDesk.wallMs(2026, month: 11, day: 20, hour: hour - 9)
    }

    @Test("Labels of apps, categories and devices are in the requested language")
    mutating func labels() throws {
        let facts = SubjectFacts(
            subject: "editor",
            category: "productivity",
            source: .desktop,
            name: "Text Editor",
            names: ["ko": "편집기"]
        )
        let event = try CoreBench<ReportState>.event(
            SubjectKnown.self,
            sequence: 1,
            subject: "known/editor",
            body: facts
        )
        try desk.bench.follow([event], subscription: 1)
        try desk.close(ReportDesk.segment(1, atWallMs: Self.seoul(9), minutes: 10))
        func label(_ key: ReportKey, _ language: String?) throws -> String? {
            try desk.usage(by: [key]) { $0.language = language }.segments[0].rows.first?.label
        }
        #expect(try label(.app, nil) == "Text Editor")
        #expect(try label(.app, "ko_KR.UTF-8") == "편집기")
        #expect(try label(.app, "de") == "Text Editor")
        #expect(try label(.category, "ko") == "생산성 및 금융")
        #expect(try label(.device, "ko") == "이 컴퓨터")
        desk.bench = try desk.bench.reopened()
        #expect(try label(.app, "ko") == "편집기")
    }

    @Test("A usage report comes in pages that fit into replies, with each row once")
    mutating func pages() throws {
        for number in 1...1_500 {
            let app = "app\(number)" + String(repeating: "x", count: 200)
            try desk.close(ReportDesk.segment(number, app: app, atWallMs: Self.seoul(9), minutes: 1))
        }
        var (apps, next, pages): ([String], String?, Int) = ([], nil, 0)
        repeat {
            let reply = try desk.usage(by: [.app]) { $0.next = next }
            #expect(try reply.encodedBody().count <= BusLimits.replyBodyBytes)
            apps += reply.segments.flatMap(\.rows).compactMap(\.app)
            next = reply.next
            pages += 1
        } while next != nil
        #expect(apps.count == 1_500)
        #expect(Set(apps).count == 1_500)
        #expect(pages > 2)
        let year = try desk.usage(from: "2026-01-01", through: "2026-12-31", segment: .hour)
        #expect(year.next != nil)
    }

    @Test("Current usage counts up to the present while its agent may still be running")
    mutating func upToNow() throws {
        let now = desk.bench.time.now()
        var segment = ReportDesk.segment(1, atWallMs: now.wallMs - 320_000, minutes: 5)
        segment.bootId = desk.bench.time.bootID
        segment.startBootMs = now.bootMs - 320_000
        segment.endBootMs = now.bootMs - 20_000
        try desk.open(segment)
        #expect(try desk.day().usedMs == 320_000)
        desk.bench.time.advance(byMs: 25_000)
        #expect(try desk.day().usedMs == 345_000)
        desk.bench.time.advance(byMs: 1)
        #expect(try desk.day().usedMs == 300_000)
        try desk.close(segment)
        #expect(try desk.day().usedMs == 300_000)
    }

    @Test(
        "Of several open segments, only the last one counts up to the present",
        arguments: 0..<40
    )
    mutating func onlyTheLast(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let now = desk.bench.time.now()
        let count = random.number(1...5)
        var startMs = now.bootMs - 44_000
        let firstMs = startMs
        for number in 1...count {
            var segment = ReportDesk.segment(number, app: "app\(number)", atWallMs: 0, minutes: 1)
            segment.startWallMs = now.wallMs - (now.bootMs - startMs)
            segment.sequence = Int64(number)
            segment.bootId = desk.bench.time.bootID
            segment.startBootMs = startMs
            segment.endBootMs = startMs + Int64(random.number(0...8_000))
            startMs = segment.endBootMs
            if number < count, random.chance(percent: 30) {
                try desk.close(segment)
            } else {
                try desk.open(segment)
            }
        }
        #expect(try desk.day().usedMs == now.bootMs - firstMs)
    }

    @Test("The coverage lists the known members and devices with their latest data")
    mutating func coverage() throws {
        try desk.close(ReportDesk.segment(1, atWallMs: Self.seoul(9), minutes: 10))
        try desk.open(ReportDesk.segment(2, member: "guardian", atWallMs: Self.seoul(12), minutes: 5))
        try desk.tell(
            CoreBench<ReportState>.event(
                DeviceImported.self,
                sequence: 3,
                subject: "device/phone",
                body: ImportedDevice(
                    device: "phone",
                    name: "Telephone",
                    model: .iPhone,
                    importedAt: "2026-11-20T00:00:00.000Z"
                )
            )
        )
        let reply = try desk.bench.ask(ReportCoverage.self, Empty())
        #expect(reply.members.map(\.member) == ["child", "guardian"])
        // The last event is from 03:05 by a clock that was fast. The present time is 03:00.
        #expect(reply.members[1].updatedAt == "2026-11-20T03:00:00.000Z")
        #expect(reply.since == "2026-11-20T00:00:00.000Z")
        #expect(reply.devices.map(\.device) == ["this", "phone"])
        #expect(try desk.usage().isOpen)
        #expect(try !desk.usage(from: "2026-11-19").isOpen)
    }
}
