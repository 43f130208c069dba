import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STReportCore

@Suite("Usage reports that cannot be made")
struct UsageRefusalTests {
    private let desk: ReportDesk

    init() throws {
        var desk = try ReportDesk()
        try desk.close(ReportDesk.segment(1, app: "editor", minutes: 10))
        self.desk = desk
    }

    private func code(_ change: (inout ReportUsage.Request) -> Void) throws -> String? {
        try problem(change)?.code
    }

    private func problem(_ change: (inout ReportUsage.Request) -> Void) throws -> (
        code: String, text: String
    )? {
        var request = ReportUsage.Request(
            fromWallMs: ReportDesk.wallMs(2026, month: 11, day: 20),
            toWallMs: ReportDesk.wallMs(2026, month: 11, day: 21),
            segment: .day,
            by: [.app],
            zone: "Asia/Seoul"
        )
        change(&request)
        return try desk.bench.refusal(ReportUsage.self, request).map { ($0.code, $0.message) }
    }

    @Test("An invalid interval of a report is rejected with its own code")
    func times() throws {
        #expect(try code { _ in } == nil)
        #expect(try code { $0.toWallMs = $0.fromWallMs } == "report.bad_interval")
        #expect(try code { $0.toWallMs = $0.fromWallMs - 1 } == "report.bad_interval")
        #expect(try code { $0.fromWallMs = -1 } == "report.bad_time")
        #expect(try code { $0.toWallMs = .max } == "report.bad_time")
        #expect(try code { ($0.fromWallMs, $0.toWallMs) = (0, 36_600 * 86_400_000) } == "report.too_long")
        let hours = try problem {
            $0.fromWallMs = 0
            $0.segment = .hour
        }
        #expect(hours?.code == "report.too_long")
        #expect(hours?.text.contains("days or weeks") == true)
        // A year of hours is short enough.
        #expect(try code { ($0.toWallMs, $0.segment) = ($0.fromWallMs + 366 * 86_400_000, .hour) } == nil)
        #expect(try code { ($0.fromWallMs, $0.segment) = (0, .whole) } == nil)
    }

    @Test("An unknown name in a report is rejected with known names")
    func names() throws {
        let member = try problem { $0.members = ["lee"] }
        #expect(member?.code == "report.unknown_member")
        #expect(member?.text.contains("child") == true)
        let device = try problem { $0.devices = ["phone"] }
        #expect(device?.code == "report.unknown_device")
        #expect(device?.text.contains("this") == true)
        let app = try problem { $0.apps = ["editr"] }
        #expect(app?.code == "report.unknown_app")
        #expect(app?.text.contains("editor") == true)
        #expect(try code { $0.categories = ["gaming"] } == "report.unknown_category")
        #expect(try code { $0.sites = ["a.example"] } == "report.unknown_site")
        #expect(try code { $0.apps = Array(repeating: "editor", count: 201) } == "report.too_many")
        // A member without data has an empty report.
        let added = try CoreBench<ReportState>.event(
            MemberAdded.self,
            sequence: 1,
            subject: "member/new",
            body: Member(name: "new", role: .child)
        )
        try desk.bench.follow([added], subscription: 2)
        #expect(try code { $0.members = ["new"] } == nil)
        // Without any usage, the report is empty and not rejected.
        let empty = try ReportDesk()
        #expect(try empty.usage { $0.members = ["child"] }.segments.first?.usedMs == 0)
    }

    @Test("Unknown or invalid values in a report request are rejected")
    func values() throws {
        #expect(try code { $0.segment = .unknown } == "report.unknown_segment")
        #expect(try code { $0.by = [.unknown] } == "report.unknown_key")
        #expect(try code { $0.zone = "Mars/Olympus" } == "report.unknown_zone")
        #expect(try code { $0.zone = "" } == "report.unknown_zone")
        #expect(try code { $0.weekday = 0 } == "report.bad_weekday")
        #expect(try code { $0.weekday = 8 } == "report.bad_weekday")
        #expect(try code { $0.top = 0 } == "report.bad_top")
        #expect(try code { $0.top = -1 } == "report.bad_top")
        for next in ["x", "1:", "9:0", "-1:0", "0:-1", "0:0:0", "0:5:zz", "0:x:61", "0:0"] {
            #expect(try code { $0.next = next } == "page.invalid")
        }
    }
}
