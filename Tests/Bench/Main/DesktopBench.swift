import Glibc
import STBus
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import STZeroMQ

/// Measures the cost of desktop-agent while a person looks at one window of a real X display and nothing changes. Also measures
/// the delay from a change of focus to the ledger.
///
/// Everything else runs too: both buses, a mock of logind, all other services, and a shield with Korean letters.
struct DesktopBench {
    private static let apps = ["Editor", "Browser"]
    private static let session = "c7"

    private let scratch: BenchScratch
    private let seconds: Int64
    private let changes: Int

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        seconds = isShort ? 20 : 60
        changes = isShort ? 40 : 200
    }

    func run() async throws -> [Figure] {
        let place = try ScratchDirectory()
        defer { place.remove() }
        let buses = try DBusPair(place)
        defer { buses.stop() }
        let logind = try await LogindMock(buses.system, place)
        defer { logind.kill() }
        try await logind.addSession(Self.session, uid: getuid())
        let display = try XDisplay(place)
        defer { display.stop() }
        let program = try LineProgram(display, LineProgram.built("screentime-x11-window"))
        let windows = try Self.apps.map { name in
            let answer = try program.ask("map \(name) \(name) 100 100 400 300")
            return answer.split(separator: " ").first.map(String.init) ?? ""
        }
        let environment = try environment(display, buses: buses, place: place)
        for name in ServiceName.all where name != .desktop {
            try scratch.start(name.rawValue, environment: environment)
        }
        let agent = try scratch.start(ServiceName.desktop.rawValue, environment: environment)
        defer { scratch.stop(agent) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try await isInFront("Browser", client)
        let late = try await latencies(client, program: program, windows: windows)
        let (before, pssBefore) = try await idle(agent)
        try await showShield(client)
        let (after, pssAfter) = try await idle(agent)
        await client.close()
        loop.stop()
        return [
            figure("wake-ups a second, a person at one window", value: before, unit: "", bar: .atMost(2)),
            figure("wake-ups a second, after a Korean shield", value: after, unit: "", bar: .atMost(2)),
            figure("PSS", value: pssBefore, unit: "MiB", bar: .atMost(20)),
            figure("PSS after a Korean shield", value: pssAfter, unit: "MiB", bar: .atMost(20)),
            figure("focus to ledger, p50", value: late.quantileUs(0.5) / 1_000, unit: "ms"),
            figure(
                "focus to ledger, p99",
                value: late.quantileUs(0.99) / 1_000,
                unit: "ms",
                bar: .atMost(250)
            ),
        ]
    }

    private func environment(_ display: XDisplay, buses: DBusPair, place: ScratchDirectory) throws
        -> [String: String]
    {
        var environment = display.environment.merging(buses.environment) { $1 }
        environment["XDG_SESSION_ID"] = Self.session
        environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "x11"
        environment["SCREENTIME_DESKTOP_AGENT_LANGUAGE"] = "ko"
        environment["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS"] = try AppEntries.write(
            Self.apps,
            exec: LineProgram.built("screentime-x11-window"),
            in: place
        )
        // There is no input here, and the person must seem to be active all the time.
        environment["SCREENTIME_DESKTOP_AGENT_IDLE_MS"] = "3600000"
        return environment
    }

    private func isInFront(_ app: String, _ client: BusClient) async throws {
        try await eventually("\(app) is seen") {
            guard try await client.call(DesktopStatus.self, Empty()).app == app else {
                throw NotYet("not yet")
            }
        }
    }

    /// Returns wake-ups per second and memory in MiB once the agent is idle.
    private func idle(_ agent: SpawnedProcess) async throws -> (wakeUps: Double, pss: Double) {
        // Longer than the lifetime of the drawing program, and than the interval of frequent stream positions.
        try await Task.sleep(for: .seconds(20))
        let before = Self.wakeUps(agent.pid)
        let startNs = Stopwatch.nanoseconds()
        try await Task.sleep(for: .seconds(seconds))
        let tookS = Double(Stopwatch.nanoseconds() - startNs) / 1e9
        let woken = Double(Self.wakeUps(agent.pid) - before) / tookS
        guard let pss = ProcessMemory.sample(pid: agent.pid)?.pssBytes, pss > 0 else {
            throw Problem("bench.failed", "The memory of desktop-agent could not be read.")
        }
        return (woken, Double(pss) / 1_048_576)
    }

    /// Shows a shield until the app is paused or covered, and then removes it.
    private func showShield(_ client: BusClient) async throws {
        let app = try await client.call(DesktopStatus.self, Empty()).app ?? ""
        let spec = RuleSpec(
            kind: .limit,
            targets: [TokenItem(kind: .application, id: app)],
            durationMs: 1_000,
            then: .shield,
            // The letters that cost most to draw.
            say: "오늘은 여기까지"
        )
        let rule = try await client.call(RuleAdd.self, .init(spec)).rule
        try await eventually(within: .seconds(60), "\(app) is shielded") {
            let shields = try await client.call(DesktopShields.self, Empty()).shields
            guard shields.contains(where: { $0.app == app && $0.stage != .rising }) else {
                throw NotYet("\(shields)")
            }
        }
        // The picture appears after the cover.
        try await Task.sleep(for: .seconds(3))
        _ = try await client.call(RuleRemove.self, .init(name: rule.id))
        try await eventually(within: .seconds(60), "no shield is left") {
            let shields = try await client.call(DesktopShields.self, Empty()).shields
            guard shields.isEmpty else { throw NotYet("\(shields)") }
        }
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar = .none) -> Figure {
        Figure(bench: "desktop", name: name, value: value, unit: unit, bar: bar)
    }

    /// Measures the time from the request to activate a window until activity-center reports it as the foreground app.
    private func latencies(_ client: BusClient, program: LineProgram, windows: [String]) async throws
        -> Measurement
    {
        var times: [Int64] = []
        for number in 0..<changes {
            let start = Stopwatch.nanoseconds()
            let app = Self.apps[number % 2]
            try program.ask("\(windows[number % 2]) activate")
            let deadlineMs = Stopwatch.milliseconds() + 10_000
            while try await client.call(UsageNow.self, Empty()).open.last?.app != app {
                guard Stopwatch.milliseconds() < deadlineMs else {
                    throw NotYet("\(app) is not in the ledger")
                }
            }
            times.append(Stopwatch.nanoseconds() - start)
            try await Task.sleep(for: .milliseconds(60))
        }
        var measured = Measurement()
        measured.add(times)
        return measured
    }

    /// Returns the wake-ups of all threads since each began.
    static func wakeUps(_ pid: Int32) -> Int64 {
        let folder = "/proc/\(pid)/task"
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var sum: Int64 = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let thread = Int32(name) else { continue }
            let text = ScratchDirectory.text("\(folder)/\(thread)/status")
            for line in text.split(separator: "\n") where line.contains("ctxt_switches") {
                sum += line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last.flatMap { Int64($0) } ?? 0
            }
        }
        return sum
    }
}
