import Glibc
import STCommandCore
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import STZeroMQ
import Synchronization

/// A display, its buses, and the system started by the real command, so that its supervisor can be killed too.
final class KillHouse: House {
    static let session = "c9"
    /// Number of rounds: one in every run, more in a soak.
    static let rounds = !TestScale.isSoak ? 1 : 5

    let scratch: ScratchDirectory
    let display: XDisplay
    let buses: DBusPair
    let client: BusClient
    private(set) var logind: LogindMock
    private let loop: BusLoop
    private var environment: [String: String]
    private(set) var supervisor: SpawnedProcess?

    /// Returns a display number for this test only. Another server could take a free number while the display is dead.
    private static func ownNumber() -> Int {
        let count = numbers.withLock { count in
            count += 1
            return count
        }
        return 40_000 + Int(getpid()) % 1_000 * 20 + count % 20
    }

    private static let numbers = Mutex(0)

    private init(_ scratch: ScratchDirectory, _ settings: [String: String]) async throws {
        self.scratch = scratch
        buses = try DBusPair(scratch)
        logind = try await LogindMock(buses.system, scratch)
        try await logind.addSession(Self.session, uid: getuid())
        display = try XDisplay(scratch, serverOptions: [":\(Self.ownNumber())"])
        let directories = scratch.directories
        environment = display.environment.merging(buses.environment) { $1 }
        environment.merge(
            [
                "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
                "SCREENTIME_CONFIG": directories.config, "TZ": "UTC", "XDG_SESSION_ID": Self.session,
                "SCREENTIME_DESKTOP_AGENT_ADAPTER": "auto",
                "SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": try Self.entries(scratch),
            ]
        ) { $1 }
        for (name, value) in settings {
            environment["SCREENTIME_DESKTOP_AGENT_" + name.uppercased()] = value
        }
        loop = try BusLoop(name: "kill-house")
        client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
    }

    /// Runs `body`, and removes everything afterwards, also after an error.
    static func run(settings: [String: String] = [:], _ body: (KillHouse) async throws -> Void) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let house = try await KillHouse(scratch, settings)
        do {
            try await house.up()
            try await body(house)
            await house.end()
        } catch {
            print("\(error)\n\(house.story())")
            await house.end()
            throw error
        }
    }

    private func end() async {
        await client.close()
        loop.stop()
        stopSystem()
        display.stop()
        logind.kill()
        buses.stop()
    }

    // MARK: - The system

    /// Starts the system and waits until the agent detects the display.
    func up() async throws {
        let log = open(scratch.file("up.log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(log)
        supervisor = try SpawnedProcess(
            SpawnPlan(
                executable: LineProgram.built("screentime"),
                arguments: [
                    "system", "up", "--only", XHouse.services.map(\.rawValue).joined(separator: ","),
                ],
                environment: environment,
                standardOutput: output.number,
                standardError: output.number,
                hasLifeline: true
            )
        )
        try await sees()
    }

    func sees() async throws {
        try await eventually(within: .seconds(60), "the agent sees the display") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.source == "x11", status.isBlind != true, status.member != nil else {
                throw NotYet("\(status)")
            }
        }
    }

    /// Stops the system, like `system down`. Returns the time that it took.
    @discardableResult
    func stopSystem() -> Int64 {
        guard let supervisor else { return 0 }
        let startMs = Stopwatch.milliseconds()
        supervisor.signal(SIGTERM)
        if supervisor.wait(deadlineMs: 30_000) == nil {
            supervisor.signal(SIGKILL)
            _ = supervisor.wait(deadlineMs: 5_000)
        }
        self.supervisor = nil
        return Stopwatch.milliseconds() - startMs
    }

    /// Kills the supervisor with SIGKILL.
    func killSupervisor() {
        supervisor?.signal(SIGKILL)
        _ = supervisor?.wait(deadlineMs: 5_000)
        supervisor = nil
    }

    /// Runs a command like a person.
    func command(_ arguments: String...) throws -> ExitStatus? {
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: LineProgram.built("screentime"),
                arguments: arguments,
                environment: environment
            )
        )
        return process.wait(deadlineMs: 60_000)
    }

    func pid(_ service: ServiceName) async throws -> Int32 {
        try await eventually(within: .seconds(30), "\(service) runs") {
            let pid = SupervisorFile.read(scratch.directories)?.service(service.rawValue)?.pid
            guard let pid else { throw NotYet("the supervisor knows of no process") }
            return Int32(clamping: pid)
        }
    }

    /// Kills a service and returns its pid.
    @discardableResult
    func kill(_ service: ServiceName, _ signal: Int32 = SIGKILL) async throws -> Int32 {
        let number = try await pid(service)
        guard let process = OtherProcess(pid: number), process.signal(signal) else {
            throw NotYet("\(service) has ended by itself")
        }
        if signal == SIGSTOP { try ProcessState.stop(number) }
        return number
    }

    /// Waits until another process of the service replies.
    func isBack(_ service: ServiceName, after old: Int32) async throws {
        try await eventually(within: .seconds(60), "\(service) is back") {
            guard try await pid(service) != old else { throw NotYet("the old one") }
            _ = try await client.call(HealthPing.self, to: service, Empty())
        }
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await client.call(route, request)
    }

    // MARK: - What else runs

    /// Returns the children of a process with a given program name.
    func children(of parent: Int32, named name: String) -> [Int32] {
        ((try? DirectoryTree.names(in: "/proc")) ?? []).compactMap { Int32($0) }.filter { pid in
            let text = ScratchDirectory.text("/proc/\(pid)/stat")
            guard let from = text.firstIndex(of: "("), let to = text.lastIndex(of: ")") else { return false }
            let fields = text[text.index(after: to)...].split(separator: " ")
            // The kernel keeps 15 characters of a name.
            return text[text.index(after: from)..<to] == name.prefix(15) && fields.count > 2
                && fields[1] == String(parent)
        }
    }

    func restartLogind() async throws {
        logind = try await LogindMock(buses.system, scratch)
        try await logind.addSession(Self.session, uid: getuid())
    }

    /// Starts a server with the number of the killed one.
    func restartDisplay() throws {
        try display.start(
            "Xvfb",
            list: [display.name, "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]
        )
        _ = try eventuallyBlocking(within: .seconds(30), "the display is back") {
            try display.run("xprop", "-root", "_NET_SUPPORTED")
        }
        try display.startWindowManager()
    }

    /// Returns the state of each service, and its last lines of output.
    func story() -> String {
        var text = ScratchDirectory.text(scratch.file("up.log"))
        for service in XHouse.services {
            let log = ScratchDirectory.text(scratch.directories.log(service: service.rawValue))
            text += "--- \(service)\n" + log.split(separator: "\n").suffix(15).joined(separator: "\n") + "\n"
        }
        return text
    }

    private static func entries(_ scratch: ScratchDirectory) throws -> String {
        let folder = scratch.file("applications")
        guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir") }
        let program = try LineProgram.built("screentime-x11-window")
        for name in XHouse.classes {
            try scratch.write(
                "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(program)\nStartupWMClass=\(name)\n",
                to: "applications/\(name.lowercased()).desktop"
            )
        }
        return "\(folder):/usr/share/applications"
    }

    // MARK: - What people and apps do in it

    /// Moves the pointer, so that a person counts as active.
    func touch(_ x: Int = 300) throws {
        try display.xdotool("mousemove", "\(x)", "300", "mousemove_relative", "--", "1", "0")
    }

    /// Starts a real editor. It is in the foreground when this returns.
    func editor(_ file: String) async throws -> SpawnedProcess {
        let settings = buses.environment.merging(["GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0"]) {
            $1
        }
        let editor = try display.start("mousepad", list: [file], environment: settings)
        try await inFront(Self.mousepad)
        return editor
    }

    func program() throws -> LineProgram {
        try LineProgram(display, LineProgram.built("screentime-x11-window"))
    }

    /// Opens a window and returns its X id.
    @discardableResult
    func window(_ program: LineProgram, _ name: String, x: Int = 100, y: Int = 100) async throws -> UInt32 {
        let answer = try program.ask("map \(name) \(name) \(x) \(y) 400 300")
        guard let id = answer.split(separator: " ").last.flatMap({ UInt32($0) }) else { throw NotYet(answer) }
        return id
    }

    /// Limits the app to a second, after which it is shielded.
    @discardableResult
    func limit(_ app: String, ms: Int64 = 1_000) async throws -> RuleView {
        let spec = RuleSpec(
            kind: .limit,
            name: "limit of \(app)",
            targets: [TokenItem(kind: .application, id: app)],
            durationMs: ms,
            then: .shield
        )
        return try await ask(RuleAdd.self, .init(spec)).rule
    }

    func lift(_ app: String) async throws {
        _ = try await ask(RuleRemove.self, .init(name: "limit of \(app)"))
    }

    /// Revokes granted time. Random keys sometimes request more, which the account's owner gets.
    func takeBackMore() async throws {
        for request in try await ask(RequestList.self, .init(state: .granted)).requests {
            _ = try await ask(RequestRevoke.self, .init(request: request.request))
        }
    }

    @discardableResult
    func isPaused(_ app: String, windows: Int = 1) async throws -> ScreenShield {
        try await eventually(within: .seconds(60), "\(app) is paused") {
            let found = try await shield(app)
            guard let found, found.stage == .paused, found.windows.count >= windows else {
                throw NotYet("\(String(describing: found))")
            }
            return found
        }
    }

    /// Returns true if the process is stopped, by its state in the kernel.
    static func isStopped(_ pid: Int32) -> Bool { ProcessState.of(pid) == "T" }

    /// Waits for a state, and returns the milliseconds since `startMs`.
    func wait(_ pid: Int32, isStopped: Bool, from startMs: Int64, within limit: Duration = .seconds(60))
        throws
        -> Int64
    {
        try eventuallyBlocking(within: limit, "\(pid) is \(isStopped ? "stopped" : "let go of")") {
            guard Self.isStopped(pid) == isStopped else { throw NotYet("it is not") }
        }
        return Stopwatch.milliseconds() - startMs
    }

    // MARK: - The books

    /// Returns the unobserved time since a moment: unobserved rows, or none.
    func unknownMs(from fromMs: Int64) async throws -> Int64 {
        let nowMs = Stopwatch.bootMilliseconds()
        var known: Int64 = 0
        for row in try await ledger() where row.presence != .unobserved {
            known += max(0, min(row.endBootMs, nowMs) - max(row.startBootMs, fromMs))
        }
        return nowMs - fromMs - known
    }

    /// Returns the number of shields that were shown for the app.
    func showings(_ app: String) async throws -> Int64 {
        let counts = try await ask(ShieldList.self, .init()).counts
        return counts.filter { $0.subject.app == app }.reduce(0) { $0 + $1.shown }
    }
}
