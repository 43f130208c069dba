import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Ledger on a real X display", .serialized)
struct XLedgerTests {
    /// Half a minute of changes in every run, several minutes in a soak.
    private static let changes = XHouse.isSoak ? 240 : 24
    /// A machine with other load may be late once.
    private static let bounds: Int64 = XHouse.isSoak ? 50 : 1_000

    @Test("On X11 the ledger records each change of focus and the total of each app within the tolerance")
    func changes() async throws {
        try await XHouse.run { house in
            let program = try house.program()
            var numbers: [String: Int] = [:]
            for name in XHouse.classes { numbers[name.lowercased()] = try await house.window(program, name) }
            let lag = try MachineLag()
            defer { lag.stop() }
            var random = SeededRandom(seed: 7)
            var truth: [(app: String, bootMs: Int64)] = []
            var last = "gamma"
            var (worstLagMs, allLagMs): (Int64, Int64) = (0, 0)
            for number in 0..<Self.changes {
                // Keep the person active, also over minutes.
                if number.isMultiple(of: 20) { try house.touch() }
                let others = XHouse.classes.map { $0.lowercased() }.filter { $0 != last }
                last = others[Int(random.next() % 2)]
                guard let window = numbers[last] else { continue }
                let beforeMs = Stopwatch.bootMilliseconds()
                try program.ask("\(window) activate")
                truth.append((last, beforeMs))
                try await Task.sleep(for: .milliseconds(300 + Int64(random.next() % 1_500)))
                let lagMs = lag.take()
                worstLagMs = max(worstLagMs, lagMs)
                allLagMs += lagMs
            }
            let endMs = Stopwatch.bootMilliseconds()
            // Back to the first of them, so that the last interval is closed as well.
            let first = last == "alpha" ? "beta" : "alpha"
            try program.ask("\(numbers[first] ?? 1) activate")
            truth.append((first, endMs))

            try await eventually(within: .seconds(20), "the last change is in the ledger") {
                guard try await house.ledger().last?.app == first else { throw NotYet("not yet") }
            }
            let rows = try await house.ledger().filter { $0.presence == .active && $0.app != nil }
            let told = rows.suffix(truth.count)
            try #require(told.count == truth.count)
            #expect(told.map(\.app) == truth.map(\.app))
            let off = zip(told, truth).map { abs($0.startBootMs - $1.bootMs) }.sorted()
            let (median, worst) = (off[off.count / 2], off[off.count - 1])
            print("changes of focus on X11: \(truth.count), off by \(median) ms, the worst by \(worst) ms")
            #expect(median <= 50 + worstLagMs)
            #expect(worst <= Self.bounds + worstLagMs)
            for app in Set(truth.map(\.app)) {
                let seen = told.dropLast().filter { $0.app == app }.reduce(0) {
                    $0 + $1.endBootMs - $1.startBootMs
                }
                let wanted = zip(truth, truth.dropFirst()).reduce(0) {
                    $1.0.app == app ? $0 + $1.1.bootMs - $1.0.bootMs : $0
                }
                #expect(abs(seen - wanted) <= Self.bounds + allLagMs)
            }
        }
    }

    @Test("Usage after the person has left is subtracted, and the shield that it caused is lifted")
    func givenBack() async throws {
        // Longer than the fifteen seconds after which a screen counts as quiet.
        try await XHouse.run(settings: ["idle_ms": "22000"]) { house in
            let program = try house.program()
            let rule = try await house.limit("alpha", ms: 18_000)
            _ = try await house.window(program, "Alpha")
            let touchedMs = Stopwatch.bootMilliseconds()
            try house.touch()
            try await house.reaches(.paused, "alpha")
            let idle = try await presence(.idle, house, sinceMs: touchedMs - 20)
            #expect(idle.startBootMs < touchedMs + 2_000)
            try await house.isLifted("alpha")
            try house.runs(program.process.pid)
            let explained = try await house.ask(ActivityExplain.self, .init(app: BuiltInRules.app)).activities
            let event = try #require(explained.first { $0.activity.activity == rule.id }?.events.first)
            #expect(event.countedMs < 3_000 && !event.reached)
            #expect(event.parts.contains { $0.because.english.contains("the pointer did not move") })
            // No usage of it is left, and nothing is counted twice.
            let used = try await house.ledger().filter { $0.app == "alpha" && $0.presence == .active }
            #expect(used.reduce(0) { $0 + $1.durationMs } < 3_000)
            let verified = try await house.ask(UsageVerify.self, .init())
            #expect(verified.fault == nil)
        }
    }

    /// Returns the last interval of a presence that began since then. After two seconds without input another one follows.
    private func presence(_ wanted: Presence, _ house: XHouse, sinceMs: Int64) async throws -> Segment {
        try await eventually(within: .seconds(20), "\(wanted) is in the ledger") {
            let rows = try await house.ledger()
            guard let row = rows.last(where: { $0.presence == wanted && $0.startBootMs >= sinceMs }) else {
                throw NotYet("\(rows.suffix(3))")
            }
            return row
        }
    }
}
