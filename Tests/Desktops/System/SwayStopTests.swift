import Glibc
import STCommandCore
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("When desktop-agent or sway is stopped at random moments", .serialized)
struct SwayStopTests {
    /// A busy machine lets the agent and sway run late. A stop is longer, and none of it may count.
    private static let lateMsMax: Int64 = 250

    /// An interval of boot time in which an app was in the foreground.
    private struct Foreground {
        var app: String
        var fromMs: Int64
        var toMs = Int64.max
    }

    @Test("no time counts for an app that was not in the foreground")
    func stops() async throws {
        try await SwayHouse.run { house in
            let windows = try house.windows(named: "windows")
            for name in SwayHouse.names {
                try windows.program.ask("map \(name) \(name)")
                try await house.inFront(name)
            }
            let file = try #require(SupervisorFile.read(house.scratch.directories))
            let agent = Int32(try #require(file.service(ServiceName.desktop.rawValue)?.pid))
            let sway = house.sway.process.pid
            var random = SeededRandom(seed: 48)
            let lag = try MachineLag()
            defer { lag.stop() }
            var truth = [Foreground(app: SwayHouse.names[2], fromMs: 0)]
            func focus(_ app: String) throws {
                let moment = try house.line.command("[app_id=^\(app)$] focus")
                truth[truth.count - 1].toMs = moment.fromUs / 1_000
                truth.append(Foreground(app: app, fromMs: moment.toUs / 1_000))
            }
            func other() -> String {
                let others = SwayHouse.names.filter { $0 != truth.last?.app }
                return others[Int(random.next() % UInt64(others.count))]
            }
            var agentStops: [(fromMs: Int64, toMs: Int64)] = []
            for _ in 0..<TestScale.count(16, soak: 1_000, fast: 6) {
                let isAgent = random.next() % 2 == 0
                let (firstMs, secondMs): (Int64, Int64) = (random.number(20...200), random.number(20...200))
                let stop = try ProcessState.stopping(isAgent ? agent : sway, ms: firstMs) {
                    guard isAgent else { return }
                    // A child could use one app and show another one before the agent continues.
                    try focus(other())
                    poll(nil, 0, Int32(secondMs))
                    try focus(other())
                }
                if isAgent { agentStops.append(stop) }
                try await Task.sleep(for: .milliseconds(random.number(20...300)))
                if random.next() % 3 == 0 { try focus(other()) }
            }
            try focus(other())
            let last = truth[truth.count - 1]
            let rows = try await eventually(within: .seconds(20), "the ledger has the last change of focus") {
                let rows = try await house.ledger()
                guard rows.last?.app == last.app, (rows.last?.endBootMs ?? 0) >= last.fromMs else {
                    throw NotYet("\(rows.suffix(3))")
                }
                return rows
            }
            try check(rows, truth, agentStops, lagMs: lag.take())
        }
    }

    private func check(
        _ rows: [Segment],
        _ truth: [Foreground],
        _ agentStops: [(fromMs: Int64, toMs: Int64)],
        lagMs: Int64
    ) throws {
        var wrongMs: Int64 = 0
        for row in rows where row.presence == .active && SwayHouse.names.contains(row.app ?? "") {
            // A command of sway takes effect some time between its request and its reply.
            let others = truth.filter { $0.app != row.app }.reduce(0) { sum, other in
                sum + max(0, min(row.endBootMs, other.toMs) - max(row.startBootMs, other.fromMs))
            }
            #expect(
                others <= Self.lateMsMax + lagMs,
                "\(others) ms of \(row), and the machine was \(lagMs) ms late"
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
            "stops of desktop-agent: \(agentStops.count); counted \(counted) ms, unobserved \(unobserved) ms, true time "
                + "\(endMs - beginMs) ms; for an app in the background \(wrongMs) ms; during stops \(stoppedMs) ms"
        )
        #expect(abs(counted + unobserved - (endMs - beginMs)) <= 1_000)
    }
}
