import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Imports with random kills", .serialized)
struct TransferKillTests {
    private static let isLong = TestScale.isSoak
    private static let rows = isLong ? 20_000 : 3_000
    private static let kills = isLong ? 200 : 5

    @Test("An import whose service is killed at random ends with a ledger that equals the file")
    func kills() async throws {
        let seed =
            ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
            ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
        print("import-kills: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("export.jsonl")
        var made = 0
        var runs = 0
        while made < Self.kills {
            let rows = try Self.write(path, &random)
            let seed = random.next()
            let round = try await TransferDesk.run {
                try await Self.round($0, path: path, rows: rows, seed: seed)
            }
            made += round.kills
            runs += round.runs
        }
        print("import-kills: \(made) kills, \(runs) runs, \(Self.rows) rows each")
    }

    /// Imports one file into one new system, to the end.
    private static func round(_ desk: TransferDesk, path: String, rows: [Segment], seed: UInt64)
        async throws
        -> (kills: Int, runs: Int)
    {
        var random = SeededRandom(seed: seed)
        var kills = 0
        var runs = 0
        let output = desk.system.scratch.file("output")
        var status: STPlatform.ExitStatus?
        while status != .exited(0), runs < 10 {
            runs += 1
            let process = try desk.begin(["data", "import", path, "--here"], output: output)
            status = nil
            while status == nil {
                status = process.wait(deadlineMs: Int64(random.number(20...400)))
                guard status == nil, kills < Self.kills, (try? desk.system.kill(.activity)) != nil else {
                    continue
                }
                kills += 1
                // On a busy machine a start takes longer than the pause, and nothing would ever be completed.
                try desk.system.waitUntilReady()
            }
        }
        #expect(status == .exited(0), "\(ScratchDirectory.text(output))")
        try desk.system.waitUntilReady()
        let found = try await desk.ledger()
        #expect(found == rows, "\(found.count) rows of \(rows.count)")
        #expect(try await desk.notifications().map(\.count) == (1...20).map { Int64($0) })
        #expect(try await desk.fault() == nil)
        _ = try await desk.reports()
        return (kills, runs)
    }

    /// Writes successive rows, as `data export` does.
    private static func write(_ path: String, _ random: inout SeededRandom) throws -> [Segment] {
        var text: [UInt8] = []
        func add(_ line: String, _ body: (any WireBody)? = nil) throws {
            guard let body else { return text += Array((line + "\n").utf8) }
            text += Array("{\"\(line)\":".utf8) + (try body.encodedBody()) + Array("}\n".utf8)
        }
        try add(
            #"{"screentime":"export","version":1,"exported_at":"2026-11-20T10:00:00.000Z","device":{"id":"d","name":"n","model":"mac"}}"#
        )
        try add("member", Member(name: "noa", role: .child))
        var rows: [Segment] = []
        var bootMs: Int64 = 1_000
        for number in 1...Self.rows {
            let endMs = bootMs + Int64(random.number(1...20_000))
            let row = Segment(
                segment: "agent/run/\(number)",
                agent: "agent",
                run: "run",
                sequence: Int64(number),
                member: "noa",
                presence: random.chance(percent: 80) ? .active : .idle,
                app: "app-\(number % 7)",
                domain: nil,
                bootId: "boot",
                startBootMs: bootMs,
                endBootMs: endMs,
                startWallMs: TransferDesk.startMs + bootMs,
                zone: "UTC",
                knownBy: .imported
            )
            bootMs = endMs
            rows.append(row)
            try add("usage", row)
        }
        for number in 1...20 {
            let wallMs = TransferDesk.startMs + Int64(number)
            try add(
                "notified",
                NotificationCount(
                    member: "noa",
                    app: "chat",
                    count: Int64(number),
                    wallMs: wallMs,
                    zone: "UTC"
                )
            )
        }
        try add(#"{"end":"2026-11-20T10:00:00.000Z","lines":\#(Self.rows + 22)}"#)
        try AtomicFile.write(text, to: path)
        return rows
    }
}
