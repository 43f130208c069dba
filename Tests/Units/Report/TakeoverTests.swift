import Glibc
import STContracts
import STPlatform
import STStore
import STTestKit
import STTestSupport
import Testing

@testable import STReportCore

@Suite("Taking over a rebuild")
struct TakeoverTests {
    private let bench: CoreBench<ReportState>
    private let events: [WireEvent]

    init() throws {
        bench = try CoreBench(ReportService.definition())
        let ledger = RandomLedger(seed: 77)
        var events: [WireEvent] = []
        for row in ledger.rows {
            events.append(
                try CoreBench<ReportState>.event(
                    SegmentClosed.self,
                    sequence: Int64(events.count + 1),
                    subject: row.segment,
                    body: row
                )
            )
        }
        self.events = events
    }

    private var path: String { ModelFile.path(beside: bench.database.path) }

    private func build(_ events: [WireEvent]) throws -> ModelTakeover.ModelPosition {
        let builder = try ModelBuilder(path: path)
        for start in stride(from: 0, to: events.count, by: 7) {
            try builder.apply(Array(events[start..<min(events.count, start + 7)]))
        }
        let sequence = events.last?.header.sequence ?? 0
        try builder.finish(StreamPoint(stream: "usage", epoch: "epoch", sequence: sequence, id: nil))
        try builder.close()
        return ModelTakeover.ModelPosition(epoch: "epoch", sequence: sequence)
    }

    private func ready() throws -> ModelTakeover.ModelPosition {
        try bench.step { try ModelTakeover.prepare(&$0, $2) }
    }

    private func take(_ built: ModelTakeover.ModelPosition) throws -> Bool {
        try bench.step { try ModelTakeover.adopt(built, state: &$0, change: $2) }
    }

    /// Damages the sums, which a rebuild repairs.
    private func spoil() throws {
        try bench.database.run("UPDATE hours SET used = used + 1")
        try bench.database.run("DELETE FROM day_use")
    }

    @Test("A rebuild has the same sums as following the stream, and following continues after it")
    func same() throws {
        try bench.follow(events)
        let expected = try Model(bench)
        let built = try build(events)
        try spoil()
        #expect(try Model(bench) != expected)

        _ = try ready()
        #expect(try take(built))
        try bench.step { try ModelTakeover.end(&$0, $2) }

        #expect(try Model(bench) == expected)
        #expect(try bench.cursor()?.sequence == Int64(events.count))
        // The next events continue from the same position.
        let again = try bench.reopened()
        #expect(try Model(again) == expected)
    }

    @Test("Events that are applied while a rebuild ends are in its sums once")
    func tail() throws {
        let half = events.count / 2
        try bench.follow(Array(events.prefix(half)))
        let built = try build(Array(events.prefix(half)))
        try spoil()
        let ready = try ready()
        #expect(ready.sequence == Int64(half))
        try bench.follow(Array(events.dropFirst(half)))
        #expect(try take(built))
        let other = try CoreBench(ReportService.definition())
        try other.follow(events)

        #expect(try Model(bench) == Model(other))
        #expect(try bench.cursor()?.sequence == Int64(events.count))
    }

    @Test("A rebuild is taken over although an unreadable event arrived while it ended")
    func unreadable() throws {
        let half = events.count / 2
        try bench.follow(Array(events.prefix(half)))
        let built = try build(Array(events.prefix(half)))
        _ = try ready()
        var rest = Array(events.dropFirst(half))
        rest[1].body = Array("{}".utf8)
        try bench.follow(rest)
        #expect(try take(built))
        let other = try CoreBench(ReportService.definition())
        try other.follow(Array(events.prefix(half)))
        try other.follow(rest)

        #expect(try Model(bench) == Model(other))
    }

    @Test("A rebuild from rows in reverse order is stored in several steps with the same sums")
    func backwards() throws {
        let start = ReportDesk.wallMs(2026, month: 11, day: 1)
        let events = try (1...3_000).map { number in
            let row = ReportDesk.segment(
                number,
                presence: number % 3 == 0 ? .idle : .active,
                atWallMs: start + Int64(3_000 - number) * 120_000,
                minutes: 1
            )
            return try CoreBench<ReportState>.event(
                SegmentClosed.self,
                sequence: Int64(number),
                subject: row.segment,
                body: row
            )
        }
        for start in stride(from: 0, to: events.count, by: 500) {
            try bench.follow(Array(events[start..<start + 500]))
        }
        let expected = try Model(bench)
        let built = try build(events)
        _ = try ready()
        #expect(try take(built))
        #expect(try Model(bench) == expected)
    }

    @Test("A rebuild is not taken over if it is too far ahead of or behind the current sums")
    func refused() throws {
        let half = events.count / 2
        try bench.follow(Array(events.prefix(half)))
        let ahead = try build(events)
        let before = try Model(bench)
        _ = try ready()
        #expect(try !take(ahead))

        let behind = try build(Array(events.prefix(half - 1)))
        _ = try ready()
        #expect(try !take(behind))
        // Without `ready`, no rebuild was about to end.
        #expect(try !take(build(Array(events.prefix(half)))))
        _ = try ready()
        let other = ModelTakeover.ModelPosition(epoch: "other", sequence: Int64(half))
        #expect(try !take(other))
        #expect(try Model(bench) == before)
    }

    @Test("The file of an interrupted rebuild is deleted at the next start")
    func leftovers() throws {
        _ = try build(events)
        #expect((access(path, F_OK) == 0))
        let again = try bench.reopened()
        #expect(!(access(path, F_OK) == 0))
        #expect(again.state.tail == nil)
    }
}
