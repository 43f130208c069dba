import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Sums of usage")
struct SumPropertyTests {
    private static let isSoak = TestScale.isSoak
    private static let ledgers: UInt64 = isSoak ? 1_000 : 60

    private struct Figures: Equatable {
        var used: Int64 = 0
        var absent: Int64 = 0
        var unobserved: Int64 = 0
        var shielded: Int64 = 0
        var pickups: Int64 = 0
        var idlePickups: Int64 = 0
        var notifications: Int64 = 0
        var first: Int64?
        var longest: Int64 = 0
        var before: Int64 = 0
        var rows: [String: [Int64]] = [:]
    }

    /// The sum of all pages of a report.
    private static func figures(
        _ bench: CoreBench<ReportState>,
        _ request: ReportUsage.Request
    ) throws -> Figures {
        var (sum, request, last) = (Figures(), request, Range<Int64>?.none)
        repeat {
            let reply = try bench.ask(ReportUsage.self, request)
            for segment in reply.segments {
                for row in segment.rows {
                    let name = "\(row.member ?? "") \(row.app ?? "-") \(row.site ?? "-")"
                    let known = sum.rows[name] ?? [0, 0, 0]
                    sum.rows[name] = zip(known, [row.usedMs, row.pickups, row.notifications]).map(+)
                }
                // A segment with many rows continues in the next page.
                if segment.startWallMs..<segment.endWallMs == last { continue }
                last = segment.startWallMs..<segment.endWallMs
                sum.used += segment.usedMs
                sum.absent += segment.absentMs
                sum.unobserved += segment.unobservedMs
                sum.shielded += segment.shieldedMs
                sum.pickups += segment.pickups
                sum.idlePickups += segment.idlePickups
                sum.notifications += segment.notifications
                sum.before += segment.beforeMs ?? 0
                if let first = segment.firstPickupWallMs { sum.first = min(sum.first ?? first, first) }
                if let start = segment.longestStartWallMs, let end = segment.longestEndWallMs {
                    sum.longest = max(sum.longest, end - start)
                }
            }
            request.next = reply.next
        } while request.next != nil
        return sum
    }

    private static func told(_ ledger: RandomLedger, _ rows: [Segment]) throws -> [WireEvent] {
        var events: [WireEvent] = []
        func add<E: EventType>(_ type: E.Type, _ subject: String, _ body: E.Body) throws {
            events.append(
                try CoreBench<ReportState>.event(
                    type,
                    sequence: Int64(events.count + 1),
                    subject: subject,
                    body: body
                )
            )
        }
        for row in rows { try add(SegmentClosed.self, row.segment, row) }
        for (index, note) in ledger.notes.enumerated() { try add(UsageNotified.self, "note/\(index)", note) }
        if let open = ledger.open { try add(SegmentOpened.self, open.segment, open) }
        return events
    }

    private static func whole(_ ledger: RandomLedger) -> ReportUsage.Request {
        // Usage during a wrong clock is outside of the interval.
        ReportUsage.Request(
            fromWallMs: ledger.fromMs - 3 * 86_400_000,
            toWallMs: ledger.toMs + 3 * 86_400_000,
            segment: .whole,
            by: [.app, .site, .member],
            zone: "Asia/Seoul"
        )
    }

    @Test("The sums equal those of a ledger that is added up in small steps")
    func naive() throws {
        let bench = try CoreBench(ReportService.definition())
        for seed in 1...Self.ledgers {
            let ledger = RandomLedger(seed: seed)
            try bench.rebuild(try Self.told(ledger, ledger.rows))
            let sum = try Self.figures(bench, Self.whole(ledger))
            let naive = NaiveModel(ledger.rows + (ledger.open.map { [$0] } ?? []))
            func total(_ kinds: String...) -> Int64 { kinds.reduce(0) { $0 + (naive.total[$1] ?? 0) } }
            var expected = Figures(
                used: total("active"),
                absent: total("idle", "locked", "away", "suspended"),
                unobserved: total("unobserved"),
                shielded: total("shielded"),
                pickups: Int64(naive.pickups.count),
                idlePickups: Int64(naive.idlePickups),
                notifications: ledger.notes.reduce(0) { $0 + $1.count },
                first: naive.pickups.first,
                longest: naive.longestMs
            )
            for (name, ms) in naive.things { expected.rows[name, default: [0, 0, 0]][0] = ms }
            for (name, count) in naive.pickupsOf { expected.rows[name, default: [0, 0, 0]][1] = count }
            for note in ledger.notes {
                expected.rows["child \(note.app) -", default: [0, 0, 0]][2] += note.count
            }
            #expect(sum == expected, "ledger \(seed)")
            try Self.compareHours(bench, ledger: ledger, naive: naive, seed: seed)
        }
    }

    /// Compares each hour.
    private static func compareHours(
        _ bench: CoreBench<ReportState>,
        ledger: RandomLedger,
        naive: NaiveModel,
        seed: UInt64
    ) throws {
        let live = try LiveUsage(
            bench.state,
            now: bench.time.now(),
            bootID: bench.time.bootID,
            database: bench.database
        )
        var hours: [NaiveModel.Hour: Int64] = [:]
        try bench.database.query("SELECT start, offset, used FROM hours") {
            hours[.init(startMs: try $0.int(0) * 1000, offsetS: Int(try $0.int(1))), default: 0] +=
                try $0.int(2)
        }
        for (key, totals) in live.fold.hours {
            let hour = NaiveModel.Hour(startMs: key.hour.start.ms, offsetS: Int(key.hour.offsetS))
            hours[hour, default: 0] += totals.used.ms
        }
        #expect(hours.filter { $0.value > 0 } == naive.used, "hours of ledger \(seed)")
    }

    @Test("The sums of hours, days, weeks and whole intervals agree, in any zone and from any moment")
    func segmentations() throws {
        let bench = try CoreBench(ReportService.definition())
        for seed in 1...Self.ledgers {
            let ledger = RandomLedger(seed: seed)
            try bench.rebuild(try Self.told(ledger, ledger.rows))
            var random = SeededRandom(seed: seed)
            var request = Self.whole(ledger)
            request.zone = random.pick(RandomLedger.zones)
            request.weekday = random.number(1...7)
            request.compares = true
            if random.chance(percent: 80) {
                request.fromWallMs = ledger.fromMs + random.number(-86_400_000...40_000_000)
                request.toWallMs = request.fromWallMs + random.number(1...400_000_000)
            }
            let whole = try Self.figures(bench, request)
            for segment in [ReportSegmentation.hour, .day, .week] {
                request.segment = segment
                var parts = try Self.figures(bench, request)
                // Incomplete weeks are compared with the same part of complete weeks.
                parts.before = whole.before
                #expect(parts == whole, "\(segment) of ledger \(seed)")
            }
        }
    }

    @Test(
        "The sums of days and of whole intervals agree for any days within four years"
    )
    func years() throws {
        let bench = try CoreBench(ReportService.definition())
        let dayMs: Int64 = 86_400_000
        // Midnight in Seoul.
        let startMs = ReportDesk.wallMs(2023, month: 3, day: 10) - 9 * 3_600_000
        for seed in 1...Self.ledgers / 10 {
            var random = SeededRandom(seed: seed)
            // Some of them begin or end within a month or year.
            let lived: Int64 = random.number(1...1_400)
            var events: [WireEvent] = []
            for number in 1...150 {
                let row = ReportDesk.segment(
                    number,
                    app: "app\(random.number(1...6))",
                    atWallMs: startMs + random.number(0...lived) * dayMs + Int64(number) * 60_000,
                    minutes: 1
                )
                events.append(
                    try CoreBench<ReportState>
                        .event(SegmentClosed.self, sequence: Int64(number), subject: row.segment, body: row)
                )
            }
            try bench.rebuild(events)
            for _ in 0..<10 {
                let from: Int64 = random.number(-60...1_400)
                var request = ReportUsage.Request(
                    fromWallMs: startMs + from * dayMs,
                    toWallMs: startMs + (from + random.number(1...1_400)) * dayMs,
                    segment: .whole,
                    by: [.app],
                    zone: "Asia/Seoul"
                )
                let whole = try Self.figures(bench, request)
                request.segment = .day
                #expect(try Self.figures(bench, request) == whole, "\(request) of \(seed)")
            }
        }
    }

    @Test("The sums do not depend on the order of rows or on batches")
    func order() throws {
        let bench = try CoreBench(ReportService.definition())
        for seed in 1...Self.ledgers {
            var ledger = RandomLedger(seed: seed)
            try bench.rebuild(try Self.told(ledger, ledger.rows))
            let expected = try Model(bench)
            var random = SeededRandom(seed: seed)
            try bench.rebuild([])
            var events = try Self.told(ledger, ledger.shuffled())[...]
            while !events.isEmpty {
                let count = random.number(1...30)
                try bench.follow(Array(events.prefix(count)))
                events = events.dropFirst(count)
            }
            #expect(try Model(bench) == expected, "ledger \(seed)")
        }
    }
}
