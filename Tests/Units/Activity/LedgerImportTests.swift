import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STActivityCore

@Suite("Imports of past usage")
struct LedgerImportTests {
    private var desk: LedgerDesk
    private static let start: Int64 = 1_790_000_000_000
    private static let phone = ImportedDevice(
        device: "phone",
        name: "My phone",
        model: .iPhone,
        importedAt: "2000-01-01T00:00:00.000Z"
    )

    init() throws { desk = try LedgerDesk() }

    /// A row in the hour before `start`, with its bounds in seconds of that hour.
    private static func row(
        _ number: Int64,
        from: Int64,
        to: Int64,
        boot: String = "old",
        member: String = "owner",
        app: String? = "editor"
    ) -> Segment {
        Segment(
            segment: "agent/old/\(number)",
            agent: "agent",
            run: "old",
            sequence: number,
            member: member,
            presence: .active,
            app: app,
            domain: nil,
            bootId: boot,
            startBootMs: from * 1_000,
            endBootMs: to * 1_000,
            startWallMs: start - 3_600_000 + from * 1_000,
            zone: "Europe/Berlin",
            category: "productivity",
            knownBy: .seen
        )
    }

    private func take(
        _ rows: [Segment],
        _ notifications: [NotificationCount] = [],
        device: ImportedDevice? = nil
    ) throws -> String {
        let reply = try desk.bench.ask(
            UsageImport.self,
            .init(device: device, rows: rows, notifications: notifications)
        )
        return "\(reply.added) \(reply.duplicates) \(reply.overlapping)"
    }

    private func verified() throws -> Int64 {
        let reply = try desk.bench.ask(UsageVerify.self, .init())
        #expect(reply.fault == nil)
        return reply.total
    }

    @Test(
        "An imported row is stored unchanged, marked as imported, and announced as closed"
    )
    mutating func rows() throws {
        let sent = [
            Self.row(1, from: 0, to: 60), Self.row(2, from: 60, to: 90, app: nil),
            Self.row(3, from: 100, to: 100),
        ]
        #expect(try take(sent) == "3 0 0")

        let rows = try desk.rows()
        var expected = sent
        for index in expected.indices { expected[index].knownBy = .imported }
        #expect(rows == expected)
        #expect(desk.bench.events.map(\.header.type) == Array(repeating: SegmentClosed.type, count: 3))
        #expect(try desk.bench.events.map { try $0.decoded(SegmentClosed.self) } == rows)
        #expect(try desk.now().isEmpty)
        #expect(try verified() == 3)
        desk.bench = try desk.bench.reopened()
        #expect(try verified() == 3)
    }

    @Test("Importing a file twice adds its rows once")
    mutating func twice() throws {
        let sent = [Self.row(1, from: 0, to: 60), Self.row(2, from: 60, to: 90)]
        let counts = [
            NotificationCount(member: "owner", app: "chat", count: 2, wallMs: Self.start - 5, zone: "UTC")
        ]
        #expect(try take(sent, counts) == "3 0 0")
        desk.bench = try desk.bench.reopened()
        #expect(try take(sent, counts) == "0 3 0")
        #expect(try take(sent + [Self.row(3, from: 90, to: 95)], counts) == "1 3 0")
        #expect(try take([Self.row(4, from: 95, to: 96), Self.row(4, from: 95, to: 96)]) == "1 1 0")
        #expect(try verified() == 4)
        #expect(try desk.bench.ask(UsageNotifications.self, .init()).rows == counts)
    }

    @Test("A dry run returns the result of an import and changes nothing")
    mutating func dryRun() throws {
        _ = try take([Self.row(1, from: 0, to: 60)])
        let before = desk.bench.state
        let told = desk.bench.events.count
        let count = NotificationCount(
            member: "owner",
            app: "chat",
            count: 2,
            wallMs: Self.start - 5,
            zone: "UTC"
        )
        let request = UsageImport.Request(
            rows: [
                Self.row(1, from: 0, to: 60), Self.row(2, from: 60, to: 70),
                Self.row(3, from: 59, to: 61, boot: "x"),
                Self.row(4, from: 65, to: 70, boot: "x"), Self.row(2, from: 60, to: 70),
            ],
            notifications: [count],
            dryRun: true
        )
        let reply = try desk.bench.ask(UsageImport.self, request)

        #expect(reply == .init(added: 2, duplicates: 2, overlapping: 2, overlappingRows: [2, 3]))
        let phone = UsageImport.Request(
            device: Self.phone,
            rows: [Self.row(9, from: 0, to: 5)],
            notifications: [],
            dryRun: true
        )
        #expect(try desk.bench.ask(UsageImport.self, phone).added == 1)
        #expect(desk.bench.state == before)
        #expect(desk.bench.events.count == told)
        #expect(try desk.rows().count == 1)
        #expect(try desk.bench.ask(UsageNotifications.self, .init()).rows.isEmpty)
    }

    @Test("Importing this device's export adds nothing, and observed usage takes precedence")
    mutating func seenHere() throws {
        _ = try desk.observe(
            ["a", "b", "c"].map { desk.watcher.sees($0, member: "owner", afterMs: 10_000) }
        )
        let seen = try desk.rows()
        #expect(try take(seen) == "0 2 0")
        // Rows of another boot overlap a stored row and the open segment.
        desk.bench.time.advance(byMs: 100_000)
        #expect(
            try take([
                Self.row(1, from: 3_595, to: 3_611, boot: "x"),
                Self.row(2, from: 3_615, to: 3_625, boot: "x"),
            ]) == "0 0 2"
        )
        #expect(
            try take([
                Self.row(3, from: 3_590, to: 3_610, boot: "x"), Self.row(4, from: 0, to: 1, member: "child"),
            ]) == "2 0 0"
        )
        #expect(try verified() == 4)
        // Observations are still accepted.
        _ = try desk.observe([desk.watcher.sees("d", member: "owner", afterMs: 10_000)])
        #expect(try verified() == 5)
    }

    @Test("Overlapping imported rows are left out, unless the clock was set within one boot")
    mutating func overlaps() throws {
        #expect(
            try take([Self.row(1, from: 0, to: 60), Self.row(2, from: 59, to: 70, boot: "other")]) == "1 0 1"
        )
        #expect(
            try take([Self.row(3, from: 60, to: 70, boot: "other"), Self.row(4, from: 10, to: 20, boot: "x")])
                == "1 0 1"
        )
        var setBack = Self.row(5, from: 70, to: 80)
        setBack.startWallMs -= 60_000
        #expect(try take([setBack]) == "1 0 0")
        var twice = Self.row(6, from: 75, to: 85)
        twice.startWallMs -= 60_000
        #expect(try take([twice]) == "0 0 1")
        #expect(
            try take([Self.row(8, from: 200, to: 200), Self.row(9, from: 30, to: 30, boot: "x")]) == "2 0 0"
        )
        #expect(try verified() == 5)
    }

    @Test("Imported rows are compared with rows that began days earlier")
    mutating func longRows() throws {
        var long = Self.row(1, from: 0, to: 1)
        long.startWallMs -= 20 * 86_400_000
        long.endBootMs = long.startBootMs + 20 * 86_400_000 + 1_000
        #expect(try take([long]) == "1 0 0")
        #expect(
            try take([Self.row(2, from: 0, to: 10, boot: "x"), Self.row(3, from: 1, to: 10, boot: "x")])
                == "1 0 1"
        )
    }

    @Test("An import in any order leaves out overlapping rows, and the total matches a reference")
    mutating func random() throws {
        var random = SeededRandom(seed: 9)
        var taken: [Range<Int64>] = []
        var number: Int64 = 0
        for _ in 0..<30 {
            var batch: [Segment] = []
            var expected = 0
            for _ in 0..<random.number(1...20) {
                number += 1
                let from = random.number(Int64(0)...3_000)
                let to = from + random.number(Int64(1)...120)
                batch.append(Self.row(number, from: from, to: to, boot: "boot\(number)"))
                if !taken.contains(where: { $0.overlaps(from..<to) }) {
                    taken.append(from..<to)
                    expected += 1
                }
            }
            #expect(try take(batch) == "\(expected) 0 \(batch.count - expected)")
        }
        #expect(
            try desk.rows().reduce(0) { $0 + $1.durationMs } == taken.reduce(0) { $0 + Int64($1.count) }
                * 1_000
        )
        _ = try verified()
    }

    @Test("An import announces another device once, and its rows can overlap those of this device")
    mutating func otherDevice() throws {
        let sent = [Self.row(1, from: 0, to: 60)]
        #expect(try take(sent, device: Self.phone) == "1 0 0")
        #expect(try take(sent) == "1 0 0")
        #expect(try take(sent, device: Self.phone) == "0 1 0")
        var tablet = Self.phone
        tablet.device = "tablet"
        #expect(try take([Self.row(2, from: 30, to: 90)], device: tablet) == "1 0 0")

        #expect(try desk.rows().map(\.device) == ["phone", nil, "tablet"])
        #expect(
            desk.bench.events.map(\.header.subject) == [
                "device/phone", "/phone/agent/old/1", "//agent/old/1", "device/tablet", "/tablet/agent/old/2",
            ]
        )
        let now = RFC3339.text(wallMs: desk.bench.time.now().wallMs)
        let known = try desk.bench.ask(UsageNow.self, Empty()).devices
        #expect(known?.map { "\($0.device) \($0.importedAt)" } == ["phone \(now)", "tablet \(now)"])
        #expect(try verified() == 3)
        try desk.bench.database.execute("UPDATE ledger_sources SET device = 'tablet' WHERE device = 'phone'")
        #expect(try desk.bench.ask(UsageVerify.self, .init()).fault?.reason == .contentChanged)
    }

    @Test("Imported usage counts towards no activity, and another device's usage is not the foreground app")
    mutating func notUse() throws {
        #expect(try take([Self.row(1, from: 0, to: 3_600)]) == "1 0 0")
        let past = try PastUsage.recordedIntervals(
            of: "owner",
            from: WallTime(ms: Self.start - 7_200_000),
            to: WallTime(ms: Self.start),
            desk.bench.database
        )
        #expect(past.isEmpty)
        #expect(try take([Self.row(9, from: 100, to: 200)], device: Self.phone) == "1 0 0")
        let found = try desk.bench.ask(
            UsageSegment.self,
            .init(member: "owner", wallMs: Self.start - 3_450_000)
        )
        #expect(found.segment?.segment == "agent/old/1")
    }

    @Test("An imported row of this boot is left out if its wall-clock time does not match")
    mutating func otherClock() throws {
        desk.bench.time.advance(byMs: 3_600_000)
        var row = Self.row(1, from: 0, to: 60, boot: desk.bench.time.bootID)
        row.startWallMs = Self.start - 600_000
        #expect(try take([row]) == "0 0 1")
        row.startWallMs = Self.start - 60_000
        #expect(try take([row]) == "1 0 0")
    }

    @Test("An imported row cannot serve as evidence, and unsupported values are removed")
    mutating func noEvidence() throws {
        var row = Self.row(1, from: 0, to: 60)
        row.category = "gaming"
        row.presence = .idle
        row.shielded = true
        var known = Self.row(2, from: 60, to: 120)
        known.shielded = true
        #expect(try take([row, known]) == "2 0 0")
        let rows = try desk.rows()
        #expect(rows.map(\.category) == [nil, "productivity"])
        #expect(rows.map(\.shielded) == [nil, true])
        let named = try desk.bench.ask(UsageSegment.self, .init(segment: "agent/old/1"))
        #expect(named.segment == nil)
    }

    @Test("Imported usage can be deleted and imported again")
    mutating func forgotten() throws {
        let counts = [
            NotificationCount(member: "owner", app: "chat", count: 2, wallMs: Self.start - 5, zone: "UTC")
        ]
        _ = try take([Self.row(1, from: 0, to: 60)], counts, device: Self.phone)
        _ = try take([Self.row(1, from: 60, to: 90)])
        let range = UsageForget.Request(fromWallMs: 0, toWallMs: Self.start + 1_000)
        let reply = try desk.bench.ask(UsageForget.self, range)

        #expect(reply.rows == 2)
        #expect(reply.events == 4)
        // A device's name is personal data, so it is deleted with the device's last usage.
        #expect(try desk.bench.ask(UsageNow.self, Empty()).devices?.isEmpty != false)
        #expect(try verified() == 2)
        let left = try desk.bench.ask(EventsSince.self, .init(stream: "usage")).events.map(\.header.type)
        #expect(
            left == Array(repeating: SegmentRedacted.type, count: 4) + [UsageForgotten.type]
        )
        #expect(try take([Self.row(1, from: 0, to: 60)], counts, device: Self.phone) == "2 0 0")
        #expect(try verified() == 3)
    }
}
