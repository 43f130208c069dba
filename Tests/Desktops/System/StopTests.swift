import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Random stops of desktop-agent and the desktop", .serialized)
struct StopTests {
    /// The tested desktops: X11 and Sway, and others if the tests run as root.
    private static let desks = DeskKind.possible
    /// Upper bound on the time that one row counts for an app in the background. The test adds the measured lag of the machine.
    private static let lateMsMax: Int64 = 250
    /// A change passes the desktop's thread, the screen's thread and the bus thread. On a busy machine, each of them can be late.
    private static let threads: Int64 = 3
    private static let apps = ["alpha", "beta", "gamma"]

    /// An interval of boot time in which an app was in the foreground.
    private struct Foreground {
        var app: String
        var fromMs: Int64
        var toMs = Int64.max
    }

    @Test("Random stops count no time for an app that was not in the foreground", arguments: desks)
    func stops(kind: DeskKind) async throws {
        try await kind.run(["gamma"]) { desk in
            var windows: [DeskWindow] = []
            for app in Self.apps { windows.append(try await desk.open(app)) }
            let (agent, compositor) = (try desk.pid(.desktop), desk.compositorPid)
            var random = SeededRandom(seed: 48)
            let lag = try MachineLag()
            defer { lag.stop() }
            var truth = [Foreground(app: Self.apps[2], fromMs: 0)]
            var slowestMs: Int64 = 0
            func bringAnother() async throws {
                let others = Self.apps.filter { $0 != truth.last?.app }
                let app = others[Int(random.next() % UInt64(others.count))]
                truth[truth.count - 1].toMs = Stopwatch.bootMilliseconds()
                try await desk.bring(app)
                let nowMs = Stopwatch.bootMilliseconds()
                // A desktop that is slow to raise a window is also slow to report the change to the agent.
                slowestMs = max(slowestMs, nowMs - truth[truth.count - 1].toMs)
                truth.append(Foreground(app: app, fromMs: nowMs))
            }
            var agentStops: [(fromMs: Int64, toMs: Int64)] = []
            let startMs = Stopwatch.milliseconds()
            let count = TestScale.count(16, soak: 1_000, fast: 6)
            for number in 0..<count {
                let isAgent = random.next() % 2 == 0
                let firstMs: Int64 = random.number(20...(number % 8 == 0 ? 1_500 : 200))
                let secondMs: Int64 = random.number(20...200)
                let stop = try await ProcessState.stopping(isAgent ? agent : compositor, ms: firstMs) {
                    guard isAgent else { return }
                    // During the stop, a child could use one app and then bring another one to the foreground.
                    try await bringAnother()
                    poll(nil, 0, Int32(secondMs))
                    try await bringAnother()
                }
                if isAgent { agentStops.append(stop) }
                try await Task.sleep(for: .milliseconds(random.number(20...300)))
                if random.next() % 3 == 0 { try await bringAnother() }
            }
            print("\(count) stops in \((Stopwatch.milliseconds() - startMs) / 1_000) s")
            try await bringAnother()
            let last = truth[truth.count - 1]
            let rows = try await eventually(within: .seconds(20), "the ledger has the last foreground app") {
                let rows = try await desk.ledger()
                guard rows.last?.app == last.app, (rows.last?.endBootMs ?? 0) >= last.fromMs else {
                    throw NotYet("\(rows.suffix(3))")
                }
                return rows
            }
            #expect(windows.allSatisfy { $0.program.process.reap() == nil })
            try check(
                rows,
                truth: truth,
                agentStops: agentStops,
                lagMs: max(lag.take(), slowestMs),
                kind: kind
            )
        }
    }

    private func check(
        _ rows: [Segment],
        truth: [Foreground],
        agentStops: [(fromMs: Int64, toMs: Int64)],
        lagMs: Int64,
        kind: DeskKind
    ) throws {
        var wrongMs: Int64 = 0
        for row in rows where row.presence == .active && Self.apps.contains(row.app ?? "") {
            // Between the request to the desktop and its reply, either app may be in the foreground.
            // The test ignores that time.
            let others = truth.filter { $0.app != row.app }.reduce(0) { sum, other in
                sum + max(0, min(row.endBootMs, other.toMs) - max(row.startBootMs, other.fromMs))
            }
            #expect(
                others <= Self.lateMsMax + Self.threads * lagMs,
                "\(others) ms of \(row), and the machine or the desktop was \(lagMs) ms late"
            )
            wrongMs += others
        }
        var stoppedMs: Int64 = 0
        for stop in agentStops {
            let ms = rows.filter { $0.app != nil }.reduce(0) { sum, row in
                sum + max(0, min(row.endBootMs, stop.toMs) - max(row.startBootMs, stop.fromMs))
            }
            #expect(ms <= 20, "\(ms) ms of \(stop)")
            stoppedMs += ms
        }
        let beginMs = truth.count > 1 ? truth[0].toMs : 0
        let endMs = truth[truth.count - 1].fromMs
        func sum(_ isIncluded: (Segment) -> Bool) -> Int64 {
            rows.filter(isIncluded).reduce(0) {
                $0 + max(0, min($1.endBootMs, endMs) - max($1.startBootMs, beginMs))
            }
        }
        let counted = sum { $0.presence == .active }
        let unobserved = sum { $0.presence == .unobserved }
        print(
            "\(kind), stops of desktop-agent: \(agentStops.count); counted \(counted) ms, unobserved \(unobserved) ms, true time "
                + "\(endMs - beginMs) ms; for apps in the background \(wrongMs) ms; during stops \(stoppedMs) ms"
        )
        #expect(abs(counted + unobserved - (endMs - beginMs)) <= 1_000)
    }
}
