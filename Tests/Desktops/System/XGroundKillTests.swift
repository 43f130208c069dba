import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

/// The agent's dependencies end: the display, its window manager, the buses, logind.
@Suite("Killing the programs that a shield depends on", .serialized)
struct XGroundKillTests {
    private static let rounds = KillHouse.rounds

    /// Runs `body` with an app that has a window, and is shielded and paused.
    private func story(_ body: (KillHouse, LineProgram) async throws -> Void) async throws {
        try await KillHouse.run { house in
            let program = try house.program()
            try await house.window(program, "Alpha")
            try await house.inFront("alpha")
            try house.touch()
            try await house.limit("alpha")
            try await house.isPaused("alpha")
            try #require(KillHouse.isStopped(program.process.pid))
            try await body(house, program)
        }
    }

    /// Checks that the app stays paused, except while it is not covered.
    private func staysHeld(_ house: KillHouse, program: LineProgram, forMs: Int64, what: String)
        async throws
    {
        let startMs = Stopwatch.milliseconds()
        var free: Int64 = 0
        while Stopwatch.milliseconds() - startMs < forMs {
            if !KillHouse.isStopped(program.process.pid) { free += 1 }
            try await Task.sleep(for: .milliseconds(10))
        }
        try await house.isPaused("alpha")
        print("\(what): not held in \(free) of \(forMs / 10) looks")
    }

    @Test("A shield remains after the window manager or the drawing program is killed")
    func display() async throws {
        try await story { house, program in
            for _ in 0..<Self.rounds {
                let managers = house.children(of: getpid(), named: "openbox").filter {
                    ScratchDirectory.text("/proc/\($0)/environ").contains("DISPLAY=\(house.display.name)\0")
                }
                #expect(managers.count == 1)
                for pid in managers { OtherProcess(pid: pid)?.signal(SIGKILL) }
                try await Task.sleep(for: .milliseconds(500))
                try house.display.startWindowManager()
                try await staysHeld(house, program: program, forMs: 1_000, what: "window manager killed")

                // A new drawing is needed, and the drawing program is killed.
                let agent = try await house.pid(.desktop)
                try house.touch(320)
                var killed = 0
                for _ in 0..<50 {
                    for pid in house.children(of: agent, named: "screentime-draw") {
                        if OtherProcess(pid: pid)?.signal(SIGKILL) == true { killed += 1 }
                    }
                    if killed == 0 { try house.display.xdotool("key", "Tab") }
                }
                print("drawers killed: \(killed)")
                try await staysHeld(house, program: program, forMs: 500, what: "drawer killed")
                #expect(try await house.pid(.desktop) == agent)
            }
        }
    }

    @Test("A killed display resumes the app and ends observation, and a new display is shielded again")
    func server() async throws {
        try await story { house, program in
            let agent = try await house.pid(.desktop)
            let startMs = Stopwatch.milliseconds()
            house.display.killServer()
            let free = try house.wait(program.process.pid, isStopped: false, from: startMs)
            try await eventually("the agent reports that it observes nothing") {
                let status = try await house.ask(DesktopStatus.self, Empty())
                guard status.isBlind == true, status.presence == .unobserved else {
                    throw NotYet("\(status)")
                }
            }
            print("display killed: free after \(free) ms")
            try house.restartDisplay()
            let backMs = Stopwatch.milliseconds()
            try await house.sees()
            print("display back: seen after \(Stopwatch.milliseconds() - backMs) ms")
            try house.touch()
            let again = try house.program()
            try await house.window(again, "Alpha")
            try await house.isPaused("alpha")
            #expect(KillHouse.isStopped(again.process.pid))
            #expect(try await house.pid(.desktop) == agent)
        }
    }

    @Test(
        "A shield remains while the buses and logind are killed, and logind's locks are reported afterwards"
    )
    func buses() async throws {
        try await story { house, program in
            let agent = try await house.pid(.desktop)
            house.buses.session.stop()
            try await staysHeld(house, program: program, forMs: 1_000, what: "session bus killed")
            try house.buses.session.start()
            try await staysHeld(house, program: program, forMs: 500, what: "session bus back")

            house.logind.kill()
            try await staysHeld(house, program: program, forMs: 1_000, what: "logind killed")
            try await house.restartLogind()
            try await staysHeld(house, program: program, forMs: 500, what: "logind back")
            try await eventually(within: .seconds(60), "a screen lock is reported again") {
                try await house.logind.setLocked(KillHouse.session, true)
                let status = try await house.ask(DesktopStatus.self, Empty())
                guard status.presence == .locked else { throw NotYet("\(status)") }
            }
            try await house.logind.setLocked(KillHouse.session, false)

            house.buses.system.stop()
            try await staysHeld(house, program: program, forMs: 1_000, what: "system bus killed")
            #expect(try await house.pid(.desktop) == agent)
        }
    }

    @Test("Stopping the system resumes an app with 30 windows before it uncovers them")
    func down() async throws {
        try await KillHouse.run { house in
            let program = try house.program()
            for index in 0..<30 {
                try await house.window(program, "Alpha", x: 20 + index * 25, y: 20 + index * 12)
            }
            try await house.inFront("alpha")
            try house.touch()
            try await house.limit("alpha")
            try await house.isPaused("alpha", windows: 20)
            let pid = program.process.pid
            try #require(KillHouse.isStopped(pid))
            // Inside the foreground window, below its title.
            let observer = try LineProgram(
                house.display,
                LineProgram.built("screentime-x11-observer"),
                arguments: "\(20 + 29 * 25 + 60)",
                "\(20 + 29 * 12 + 80)"
            )
            let covered = try observer.nextLine()
            try await Task.sleep(for: .milliseconds(500))
            _ = observer.lines()

            let supervisor = try #require(house.supervisor)
            let startMs = Stopwatch.bootMilliseconds()
            supervisor.signal(SIGTERM)
            // The last moment at which it was certainly paused, because the check itself may be late.
            var heldMs = startMs
            while true {
                let lookMs = Stopwatch.bootMilliseconds()
                guard lookMs - startMs < 20_000, KillHouse.isStopped(pid) else { break }
                heldMs = lookMs
                _ = poll(nil, 0, 1)
            }
            let freeMs = Stopwatch.bootMilliseconds()
            #expect(!KillHouse.isStopped(pid))
            var line = try observer.nextLine()
            while !line.hasSuffix("#3366cc") { line = try observer.nextLine() }
            let uncoveredMs = (line.split(separator: " ").first.flatMap { Int64($0) } ?? 0) / 1_000
            let tookMs = house.stopSystem()
            print(
                "down with 30 windows: free after \(freeMs - startMs) ms, uncovered after \(uncoveredMs - startMs) ms "
                    + "(\(covered) to \(line)), all after \(freeMs - startMs + tookMs) ms"
            )
            #expect(uncoveredMs >= heldMs - 1)
            #expect(freeMs - startMs < (XHouse.isSoak ? 2_000 : 15_000))
            // Nothing is in the way: typed text reaches the app.
            try program.ask("30 text")
        }
    }
}
