import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// The real processes on a real X display, with windows that the test controls.
@Suite("Observations of a real X display", .serialized)
struct SeeingOnDisplayTests {
    private static func run(
        // No input reaches the display, and on a busy machine a test may last longer than a usual idle time.
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
            ["Editor"],
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

    /// Waits for a usage interval with this presence that started at or after `sinceMs`, and returns the latest.
    private static func told(_ system: TestSystem, _ presence: Presence, sinceMs: Int64) async throws
        -> Segment
    {
        try await eventually("\(presence) is in the ledger") {
            let rows = try await told(system)
            guard let row = rows.last(where: { $0.presence == presence && $0.startBootMs >= sinceMs }) else {
                throw NotYet("\(rows.suffix(3))")
            }
            return row
        }
    }

    private static func openEditor(on display: XDisplay) throws -> LineProgram {
        let program = try LineProgram(display, LineProgram.built("screentime-x11-window"))
        try program.ask("map Editor Editor 100 100 400 300")
        return program
    }

    @Test("Usage is idle after the idle time without input, and active again at the next input")
    func idle() async throws {
        try await Self.run(idleMs: 1_500) { system, display in
            let program = try Self.openEditor(on: display)
            // Keep the program alive, because its windows end with it.
            defer { withExtendedLifetime(program) {} }
            // It was idle before as well. The test needs the idle interval after each touch.
            let beforeMs = Stopwatch.bootMilliseconds()
            try display.run("xdotool", "mousemove", "200", "200")
            let touchedMs = Stopwatch.bootMilliseconds()
            let idle = try await Self.told(system, .idle, sinceMs: beforeMs - 300)
            let idleMs = idle.startBootMs
            #expect((beforeMs - 300...touchedMs + 2_000).contains(idleMs), "\(idleMs - beforeMs)")
            let againMs = Stopwatch.bootMilliseconds()
            try display.run("xdotool", "mousemove", "300", "300")
            let backMs = Stopwatch.bootMilliseconds()
            let back = try await Self.told(system, .active, sinceMs: againMs - 300)
            #expect(back.startBootMs <= backMs + 2_000, "\(back.startBootMs - backMs)")
            #expect(back.app == "Editor")
        }
    }

    @Test("After the display server dies, usage is unobserved and the agent keeps running")
    func death() async throws {
        try await Self.run { system, display in
            let program = try Self.openEditor(on: display)
            // Keep the program alive, because its windows end with it.
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
