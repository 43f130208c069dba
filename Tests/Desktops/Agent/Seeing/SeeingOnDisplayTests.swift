import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// The real processes on a real X display, with windows driven by hand.
@Suite("What is seen on a real display", .serialized)
struct SeeingOnDisplayTests {
    private static func run(
        // Nothing touches the display: on a busy machine a test may last longer than people sit still.
        idleMs: Int64 = 3_600_000,
        _ body: (TestSystem, XDisplay) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch)
        defer { display.stop() }
        var environment = display.environment
        environment["TZ"] = "UTC"
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(scratch.path)/no-bus"
        environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "x11"
        environment["SCREENTIME_DESKTOP_AGENT_IDLE_MS"] = "\(idleMs)"
        let program = try LineProgram.built("screentime-x11-window")
        let entries = try ScratchDirectory()
        environment["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS"] = try AppEntries.write(
            ["Editor", "Browser", "Game"],
            exec: program,
            in: entries
        )
        defer { entries.remove() }
        try await TestSystem.run(
            services: [.auth, .activity, .desktop],
            options: TestSystemOptions(environment: environment)
        ) { system in
            try await body(system, display)
        }
    }

    private static func told(_ system: TestSystem) async throws -> [Segment] {
        let rows = try await system.client.call(UsageList.self, .init(limit: 500)).rows
        return rows + (try await system.client.call(UsageNow.self, Empty()).open)
    }

    /// The stretch that goes on and began since then, once there is one.
    private static func told(_ system: TestSystem, _ presence: Presence, sinceMs: Int64) async throws
        -> Segment
    {
        try await eventually("\(presence) is in the ledger") {
            let last = try await told(system).last
            guard let last, last.presence == presence, last.startBootMs >= sinceMs else {
                throw NotYet("\(String(describing: last))")
            }
            return last
        }
    }

    private static func windows(_ display: XDisplay, _ names: [String]) throws -> (LineProgram, [Int]) {
        let program = try LineProgram(display, LineProgram.built("screentime-x11-window"))
        let numbers = try names.enumerated().map { index, name in
            let answer = try program.ask("map \(name) \(name) \(100 + index * 40) 100 400 300")
            guard let number = Int(answer.split(separator: " ").first ?? "") else { throw NotYet(answer) }
            return number
        }
        return (program, numbers)
    }

    @Test("is in the ledger to within 50 ms each, and in sum")
    func focus() async throws {
        try await Self.run { system, display in
            let apps = ["Editor", "Browser", "Game"]
            let (program, numbers) = try Self.windows(display, apps)
            try await eventually("the last window is in front") {
                guard try await Self.told(system).last?.app == "Game" else {
                    throw NotYet("\(try await Self.told(system))")
                }
            }
            // The window manager itself is late on a machine that is busy with other things: then it is tried again.
            var worst: [Int64] = []
            for round in 1...12 {
                worst = try await Self.worst(system, display, program, numbers, apps, round)
                if worst.allSatisfy({ $0 <= 50 }) { break }
            }
            #expect(worst.allSatisfy { $0 <= 50 }, "\(worst)")
        }
    }

    /// How far the ledger is from what was done: for each change, and for the sum of each app.
    private static func worst(
        _ system: TestSystem,
        _ display: XDisplay,
        _ program: LineProgram,
        _ numbers: [Int],
        _ apps: [String],
        _ round: Int
    ) async throws -> [Int64] {
        var random = SeededRandom(seed: UInt64(round))
        var truth: [(app: String, bootMs: Int64)] = []
        var last = 2
        try program.ask("\(numbers[last]) activate")
        try await eventually("the round begins") {
            guard try await told(system).last?.app == apps[last] else { throw NotYet("not in front") }
        }
        for _ in 0..<25 {
            last = (last + random.number(1...2)) % 3
            try program.ask("\(numbers[last]) activate")
            truth.append((apps[last], Stopwatch.bootMilliseconds()))
            try await Task.sleep(for: .milliseconds(random.number(100...300)))
        }
        let endMs = Stopwatch.bootMilliseconds()
        let lastMs = truth.last?.bootMs ?? 0
        try await eventually("all of it is in the ledger") {
            let open = try await told(system).last
            guard let open, open.app == apps[last], open.startBootMs >= lastMs - 90 else {
                let front = try display.activeWindow().map { numbers.firstIndex(of: Int($0)) ?? -1 }
                let windows = try await system.client.call(DesktopWindows.self, .init()).windows
                throw NotYet("\(apps[last]) since \(lastMs), X11 says \(front as Any), \(windows), \(String(describing: open))")
            }
        }
        // What was in front for no time at all is between two windows, and belongs to none.
        let seen = try await told(system).filter { $0.app != nil }.suffix(truth.count)
        // Two changes that came to the window manager at once were one to everybody.
        guard seen.map(\.app) == truth.map(\.app) else { return [.max] }
        let apart = zip(seen, truth).map { abs($0.startBootMs - $1.bootMs) }
        return apart
            + apps.map { app in
                let toldMs = sum(seen.map { ($0.app, $0.startBootMs) }, of: app, until: endMs)
                return abs(toldMs - sum(truth.map { ($0.app, $0.bootMs) }, of: app, until: endMs))
            }
    }

    private static func sum(_ changes: [(String?, Int64)], of app: String, until endMs: Int64) -> Int64 {
        let ends = changes.dropFirst().map(\.1) + [endMs]
        return zip(changes, ends).reduce(0) { $1.0.0 == app ? $0 + $1.1 - $1.0.1 : $0 }
    }

    @Test("stops when nothing is touched for so long, and goes on with the first touch")
    func idle() async throws {
        try await Self.run(idleMs: 1_500) { system, display in
            let (program, _) = try Self.windows(display, ["Editor"])
            // Without it its windows go.
            defer { withExtendedLifetime(program) {} }
            // It was idle before as well: what is meant is what comes after each touch.
            let beforeMs = Stopwatch.bootMilliseconds()
            try display.run("xdotool", "mousemove", "200", "200")
            let touchedMs = Stopwatch.bootMilliseconds()
            let idle = try await Self.told(system, .idle, sinceMs: beforeMs - 300)
            let idleMs = idle.startBootMs
            #expect((beforeMs - 300...touchedMs + 2_000).contains(idleMs), "\(idleMs - beforeMs)")
            let againMs = Stopwatch.bootMilliseconds()
            try display.run("xdotool", "mousemove", "300", "300")
            let backMs = Stopwatch.bootMilliseconds()
            let back = try await Self.told(system, .active, sinceMs: idle.startBootMs)
            #expect(
                (againMs - 300...backMs + 2_000).contains(back.startBootMs),
                "\(back.startBootMs - backMs)"
            )
            #expect(back.app == "Editor")
        }
    }

    @Test("is unobserved once the display has died, and the agent goes on")
    func death() async throws {
        try await Self.run { system, display in
            let (program, _) = try Self.windows(display, ["Editor"])
            // Without it its windows go.
            defer { withExtendedLifetime(program) {} }
            try await eventually {
                guard try await Self.told(system).last?.app == "Editor" else { throw NotYet("nothing told") }
            }
            let pid = try system.pid(.desktop)
            display.killServer()
            try await eventually {
                guard try await Self.told(system).last?.presence == .unobserved else {
                    throw NotYet("still seen")
                }
            }
            let status = try await system.client.call(DesktopStatus.self, Empty())
            #expect(status.isBlind == true)
            #expect(status.source == "none")
            #expect(try system.pid(.desktop) == pid)
        }
    }
}
