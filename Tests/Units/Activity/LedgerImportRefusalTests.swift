import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STActivityCore

@Suite("Refused imports")
struct LedgerImportRefusalTests {
    private let desk: LedgerDesk
    private static let now: Int64 = 1_790_000_000_000
    private static let good = Segment(
        segment: "s",
        agent: "agent",
        run: "run",
        sequence: 1,
        member: "child",
        presence: .active,
        app: "editor",
        domain: nil,
        bootId: "boot",
        startBootMs: 0,
        endBootMs: 1_000,
        startWallMs: now - 10_000,
        zone: "UTC"
    )

    init() throws { desk = try LedgerDesk() }

    private func refusal(
        _ change: (inout Segment) -> Void = { _ in },
        device: ImportedDevice? = nil
    ) throws -> String {
        var bad = Self.good
        bad.segment = "bad"
        change(&bad)
        let request = UsageImport.Request(device: device, rows: [Self.good, bad], notifications: [])
        let problem = try desk.bench.refusal(UsageImport.self, request)
        #expect(try desk.rows().isEmpty)
        #expect(desk.bench.events.isEmpty)
        return "\(problem?.code ?? "taken") \(problem?.field ?? "")"
    }

    @Test("A request with an invalid imported row is refused with the row and the reason, and adds nothing")
    func rows() throws {
        let long = String(repeating: "x", count: 257)
        let place = "/rows/1"
        #expect(try refusal { $0.endBootMs = -1 } == "usage.times_reversed \(place)")
        #expect(
            try refusal {
                $0.startBootMs = -5; $0.endBootMs = -1
            } == "usage.bad_number \(place)"
        )
        #expect(try refusal { $0.endBootMs = .max } == "usage.bad_number \(place)")
        #expect(
            try refusal {
                $0.startBootMs = .min; $0.endBootMs = .max
            } == "usage.bad_number \(place)"
        )
        #expect(try refusal { $0.sequence = 0 } == "usage.bad_number \(place)")
        #expect(try refusal { $0.stepMs = .min } == "usage.bad_number \(place)")
        #expect(try refusal { $0.endBootMs = 31 * 86_400_000 + 1 } == "usage.too_long \(place)")
        #expect(try refusal { $0.startWallMs = -1 } == "usage.bad_number \(place)/start_wall_ms")
        #expect(try refusal { $0.startWallMs = .max } == "usage.bad_number \(place)/start_wall_ms")
        #expect(
            try refusal { $0.startWallMs = Self.now + 59_001 } == "usage.from_future \(place)/start_wall_ms"
        )
        // This machine was started one minute ago.
        #expect(
            try refusal {
                $0.bootId = desk.bench.time.bootID; $0.endBootMs = 60_001
            } == "usage.from_future \(place)/end_boot_ms"
        )
        #expect(try refusal { $0.presence = .unknown } == "body.unknown_value \(place)/presence")
        #expect(try refusal { $0.zone = "Mars/Olympus" } == "usage.unknown_zone \(place)/zone")
        #expect(try refusal { $0.segment = "" } == "usage.bad_name \(place)/segment")
        #expect(try refusal { $0.agent = long } == "usage.bad_name \(place)/agent")
        #expect(try refusal { $0.run = "" } == "usage.bad_name \(place)/run")
        #expect(try refusal { $0.bootId = long } == "usage.bad_name \(place)/boot_id")
        #expect(try refusal { $0.app = long } == "usage.bad_name \(place)/app")
        #expect(try refusal { $0.domain = "" } == "usage.bad_name \(place)/domain")
        #expect(try refusal { $0.category = long } == "usage.bad_name \(place)/category")
        #expect(try refusal { $0.device = "phone" } == "usage.other_device \(place)/device")
        #expect(try refusal { $0.member = "stranger" } == "member.unknown \(place)/member")
        var stranger = Self.good
        stranger.member = "stranger"
        let problem = try desk.bench.refusal(UsageImport.self, .init(rows: [stranger], notifications: []))
        #expect(problem?.help == "screentime member add stranger")
        #expect(problem?.message.contains("Add the member first") == true)
    }

    @Test("An imported device needs a name, a kind and a plain id, and the number of devices is limited")
    func devices() throws {
        func device(_ id: String, _ name: String = "n", _ model: ReportModel = .iPad) -> ImportedDevice {
            ImportedDevice(device: id, name: name, model: model, importedAt: "")
        }
        #expect(try refusal(device: device("")) == "usage.bad_name /device/device")
        #expect(try refusal(device: device("a/b")) == "usage.bad_name /device/device")
        // This is the id of this computer, whose usage would count twice.
        #expect(try refusal(device: device(ReportDevice.this)) == "usage.bad_name /device/device")
        #expect(try refusal(device: device(".a")) == "usage.bad_name /device/device")
        #expect(try refusal(device: device("a\u{1B}b")) == "usage.bad_name /device/device")
        #expect(try refusal(device: device("a", "n\n")) == "usage.bad_name /device/device")
        #expect(try refusal(device: device("a", "")) == "usage.bad_name /device/name")
        #expect(try refusal(device: device("a", "n", .unknown)) == "body.unknown_value /device/model")
        for number in 0..<64 {
            var row = Self.good
            row.segment = "s\(number)"
            _ = try desk.bench.ask(
                UsageImport.self,
                .init(device: device("d\(number)"), rows: [row], notifications: [])
            )
        }
        let problem = try desk.bench.refusal(
            UsageImport.self,
            .init(device: device("more"), rows: [Self.good], notifications: [])
        )
        #expect(problem?.code == "usage.too_many_devices")
    }

    @Test("Invalid, missing and too many imported notifications are refused")
    func notifications() throws {
        let good = NotificationCount(member: "child", app: "chat", count: 1, wallMs: Self.now, zone: "UTC")
        func refusal(_ change: (inout NotificationCount) -> Void) throws -> String {
            var bad = good
            change(&bad)
            let request = UsageImport.Request(rows: [], notifications: [good, bad])
            let problem = try desk.bench.refusal(UsageImport.self, request)
            return "\(problem?.code ?? "taken") \(problem?.field?.dropFirst("/notifications/1".count) ?? "")"
        }
        #expect(try refusal { $0.count = 0 } == "usage.bad_notifications /count")
        #expect(try refusal { $0.count = 10_001 } == "usage.bad_notifications /count")
        #expect(try refusal { $0.app = "" } == "usage.bad_name /app")
        #expect(try refusal { $0.member = "stranger" } == "member.unknown /member")
        #expect(try refusal { $0.zone = "x" } == "usage.unknown_zone /zone")
        #expect(try refusal { $0.wallMs = -1 } == "usage.bad_number /wall_ms")
        #expect(try refusal { $0.wallMs = Self.now + 60_001 } == "usage.from_future /wall_ms")
        #expect(try refusal { $0.device = "phone" } == "usage.other_device /device")
        let many = (0...200).map { number in
            var row = good
            row.app = "app\(number)"
            return row
        }
        #expect(
            try desk.bench.refusal(UsageImport.self, .init(rows: [], notifications: many))?.code
                == "usage.bad_batch"
        )
        #expect(
            try desk.bench.refusal(UsageImport.self, .init(rows: [], notifications: []))?.code
                == "usage.bad_batch"
        )
        let none = try LedgerDesk(members: [])
        let problem = try none.bench.refusal(UsageImport.self, .init(rows: [Self.good], notifications: []))
        #expect(problem?.code == "unavailable")
    }
}
