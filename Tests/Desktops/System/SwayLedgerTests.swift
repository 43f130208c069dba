import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Ledger on a real sway", .serialized)
struct SwayLedgerTests {
    /// Half a minute of changes in every run, several minutes in a soak.
    private static let changes = SwayHouse.isSoak ? 240 : 24
    /// Wider outside a soak: on a busy machine desktop-agent and sway are also late, and `MachineLag` measures only this process.
    private static let boundMs: Int64 = SwayHouse.isSoak ? 50 : 1_000

    @Test("On sway the ledger records each change of focus and the total of each app within the tolerance")
    func changes() async throws {
        try await SwayHouse.run { house in
            let windows = try house.windows(named: "windows")
            for name in SwayHouse.names {
                try windows.program.ask("map \(name) \(name)")
                try await house.inFront(name)
            }
            var random = SeededRandom(seed: 7)
            var truth: [Change] = []
            var last = "gamma"
            let lag = try MachineLag()
            defer { lag.stop() }
            for _ in 0..<Self.changes {
                let others = SwayHouse.names.filter { $0 != last }
                last = others[Int(random.next() % 2)]
                truth.append(try focus(last, house))
                try await Task.sleep(for: .milliseconds(300 + Int64(random.next() % 1_500)))
                truth[truth.count - 1].lagMs = lag.take()
            }
            // Back to the first of them, so that the last interval is closed as well.
            let first = last == "alpha" ? "beta" : "alpha"
            truth.append(try focus(first, house))

            try await eventually(within: .seconds(20), "the last change is in the ledger") {
                guard try await house.ledger().last?.app == first else { throw NotYet("not yet") }
            }
            let rows = try await house.ledger().filter { $0.presence == .active && $0.app != nil }
            try check(rows, truth)
        }
    }

    /// A change, between its request and its reply. Only sway knows the exact moment.
    private struct Change {
        var app: String
        var fromMs: Int64
        var untilMs: Int64
        /// The machine's delay in waking any process meanwhile.
        var lagMs: Int64 = 0

        func distanceMs(_ bootMs: Int64) -> Int64 { max(fromMs - bootMs, bootMs - untilMs, 0) }
    }

    private func focus(_ app: String, _ house: SwayHouse) throws -> Change {
        let moment = try house.line.command("[app_id=^\(app)$] focus")
        return Change(app: app, fromMs: moment.fromUs / 1_000, untilMs: moment.toUs / 1_000)
    }

    private func check(_ rows: [Segment], _ truth: [Change]) throws {
        let told = rows.suffix(truth.count)
        try #require(told.count == truth.count)
        var worst: Int64 = 0
        for (row, change) in zip(told, truth) {
            #expect(row.app == change.app)
            worst = max(worst, change.distanceMs(row.startBootMs))
            #expect(change.distanceMs(row.startBootMs) <= Self.boundMs + change.lagMs)
        }
        let late = truth.map(\.lagMs).max() ?? 0
        let slowest = truth.map { $0.untilMs - $0.fromMs }.max() ?? 0
        print(
            "changes of focus on sway: \(truth.count), the worst is off by \(worst) ms, sway took up to \(slowest) ms, the machine \(late) ms"
        )
        let lagMs = truth.map(\.lagMs).reduce(0, +)
        for app in Set(truth.map(\.app)) {
            let seen = told.dropLast().filter { $0.app == app }.reduce(0) {
                $0 + $1.endBootMs - $1.startBootMs
            }
            let wanted = zip(truth, truth.dropFirst()).reduce(0) {
                $1.0.app == app ? $0 + $1.1.fromMs - $1.0.fromMs : $0
            }
            #expect(abs(seen - wanted) <= Self.boundMs + lagMs)
        }
    }
}
