import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport

/// The whole system on a real Wayland desktop, as an ordinary user, which desktops require. Requests are sent by the command as
/// that user, because services accept only their own account.
class WaylandHouse: House {
    static let session = "c9"
    static let uid: UInt32 = geteuid() == 0 ? 65_534 : geteuid()
    /// Apps of windows that the test controls, by the names of their windows.
    static let names = ["alpha", "beta", "gamma"]

    struct Options {
        /// The settings of desktop-agent. Most tests have no input, and this must not count as absence.
        var settings = ["idle_ms": "3600000"]
        /// Variables of the environment. `nil` removes a variable such as `WAYLAND_DISPLAY`.
        var environment: [String: String?] = [:]
        /// Pixels of one of the desktop's units.
        var scale = 1.0
        /// Number of monitors, side by side.
        var outputs = 1
        /// Size of each monitor in pixels.
        var width = 1280
        var height = 720
        var configuration = ""
        /// If true, controlled windows can use X11.
        var hasXWayland = false
        /// The apps of windows that the test controls.
        var names: [String] = WaylandHouse.names
        /// If true, the system runs in a terminal on this desktop, as many people start it.
        var isInTerminal = false
        /// The source in `desktop.status`, once everything is ready.
        var source = "wlroots"
    }

    let desktop: any WaylandDesktop
    let logind: LogindMock
    let scratch: ScratchDirectory
    let environment: [String: String]
    /// `nil` if this machine has no writable cgroup v2.
    let ground: FreezerGround?
    let buses: DBusPair
    /// The system itself, or the terminal around it.
    let supervisor: SpawnedProcess
    let scale: Double
    let hasXWayland: Bool
    private let isInTerminal: Bool
    private let missing: [String]
    private let programs: ReachablePrograms
    private var command: String { programs.path("screentime") }

    init(
        on desktop: any WaylandDesktop,
        _ options: Options,
        _ scratch: ScratchDirectory,
        _ buses: DBusPair,
        _ logind: LogindMock
    ) throws {
        self.desktop = desktop
        self.scratch = scratch
        self.buses = buses
        self.logind = logind
        ground = FreezerGround.isAvailable ? try FreezerGround(uid: Self.uid) : nil
        let programs = try ReachablePrograms(scratch)
        self.programs = programs
        missing = Self.words(options)
        environment = try Self.environment(options, scratch: scratch, buses: buses, programs: programs)
        scale = options.scale
        hasXWayland = options.hasXWayland
        isInTerminal = options.isInTerminal
        // It waits until it is in its cgroup, so that its children are in it as well.
        let words =
            (ground == nil || options.isInTerminal
                ? [] : ["/bin/sh", "-c", "kill -STOP $$; exec \"$@\"", "sh"])
            + ["/usr/bin/env"] + missing + [programs.path("screentime"), "system", "up"]
        supervisor = try desktop.run(
            options.isInTerminal ? "/usr/bin/foot" : words[0],
            options.isInTerminal ? words : Array(words.dropFirst()),
            environment: environment,
            log: scratch.file("system.log")
        )
        // systemd also puts a session into its own cgroup.
        guard let ground else { return }
        guard options.isInTerminal || comesTrue(within: .seconds(20), { isStill(supervisor.pid, nil) }) else {
            throw NotYet("the system does not begin")
        }
        try ground.add(supervisor.pid, to: ground.folder("session.scope"))
        supervisor.signalGroup(SIGCONT)
    }

    /// Runs `body`. `make` starts the desktop and the system on it.
    static func run<Desk: WaylandHouse>(
        _ options: Options,
        make: (Options, ScratchDirectory, DBusPair, LogindMock) async throws -> Desk,
        body: (Desk) async throws -> Void
    ) async throws {
        try await ground(session, uid: uid, type: "wayland") { scratch, buses, logind in
            let house = try await make(options, scratch, buses, logind)
            defer { house.end() }
            do {
                try await house.waitUntilSeen(options.source)
                try await body(house)
            } catch {
                print("\(error)\n\(house.story())")
                throw error
            }
        }
    }

    // MARK: - Starting and ending

    /// Returns the arguments of `env` that remove variables.
    private static func words(_ options: Options) -> [String] {
        options.environment.filter { $0.value == nil }.keys.sorted().flatMap { ["-u", $0] }
    }

    private static func environment(
        _ options: Options,
        scratch: ScratchDirectory,
        buses: DBusPair,
        programs: ReachablePrograms
    ) throws -> [String: String] {
        chmod(scratch.path, 0o711)
        var environment = buses.environment
        for name in ["run", "state"] {
            let path = scratch.file(name)
            guard mkdir(path, 0o700) == 0, chown(path, uid, uid) == 0 else { throw SystemError.last("mkdir") }
            environment["SCREENTIME_\(name.uppercased())"] = path
        }
        environment["SCREENTIME_CONFIG"] = scratch.file("none.conf")
        environment["TZ"] = "UTC"
        environment["XDG_SESSION_ID"] = session
        environment["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS"] = try entries(
            options.names,
            scratch: scratch,
            programs: programs
        )
        for (name, value) in options.settings {
            environment["SCREENTIME_DESKTOP_AGENT_" + name.uppercased()] = value
        }
        for case (let name, let value?) in options.environment { environment[name] = value }
        return environment
    }

    private static func entries(
        _ names: [String],
        scratch: ScratchDirectory,
        programs: ReachablePrograms
    ) throws -> String {
        let folder = scratch.file("applications")
        guard mkdir(folder, 0o755) == 0 else { throw SystemError.last("mkdir") }
        let program = programs.path("screentime-wayland-window")
        for name in names {
            let title = name.prefix(1).uppercased() + name.dropFirst()
            let entry =
                "[Desktop Entry]\nType=Application\nName=\(title)\nName[ko]=\(title) 앱\nExec=\(program)\n"
            try scratch.write(entry, to: "applications/\(name).desktop", mode: 0o644)
        }
        // The real entries too: they precede those of a home folder.
        return "\(folder):/usr/share/applications"
    }

    private func waitUntilSeen(_ source: String) async throws {
        try await eventually(within: .seconds(120), "the agent sees the desktop") {
            if let ending = supervisor.reap() { throw NotYet("the system has ended: \(ending)") }
            let status = try ask(DesktopStatus.self, Empty())
            guard status.source == source, status.member != nil else { throw NotYet("\(status)") }
            // The agent may be ready before other services have begun.
            let services = try screentime("status", "--json")
            guard !services.filter({ !$0.isWhitespace }).contains("\"answers\":false") else {
                throw NotYet(services)
            }
        }
    }

    /// Stops the system, as a person does. Does nothing if it has ended.
    func stopSystem() {
        if isInTerminal, supervisor.reap() == nil { _ = try? screentime("system", "down", isWell: false) }
        supervisor.signal(SIGTERM)
        _ = supervisor.wait(deadlineMs: 30_000)
    }

    private func end() {
        stopSystem()
        // A frozen process cannot handle a signal.
        ground?.remove()
        desktop.end()
    }

    /// Returns the last lines of the system's output.
    private func story() -> String {
        ScratchDirectory.text(scratch.file("system.log")).split(separator: "\n").suffix(60).joined(
            separator: "\n"
        )
    }

    // MARK: - Asking

    /// Returns the output of the command.
    @discardableResult
    func screentime(_ words: String..., isWell: Bool = true, path: String? = nil) throws -> String {
        let all = ["/usr/bin/env"] + (path.map { ["PATH=\($0):/usr/bin:/bin"] } ?? []) + commandWords + words
        guard isWell else { return try desktop.output("/bin/sh", ["-c", "\"$@\"; true", "sh"] + all) }
        return try desktop.output(all[0], Array(all.dropFirst()))
    }

    private var commandWords: [String] { missing + environment.map { "\($0)=\($1)" } + [command] }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) throws -> R.Reply {
        let body = String(decoding: try request.encodedBody(), as: UTF8.self)
        // Not as an argument, because the command rejects passcodes there.
        let words = ["-c", "printf %s \"$0\" | \"$@\"", body, "/usr/bin/env"] + commandWords
        let reply = try desktop.output("/bin/sh", words + ["bus", "call", R.name, "-"])
        return try R.Reply.decodedBody(Array(reply.utf8))
    }

    // MARK: - Apps

    /// Starts a real program, in a cgroup with a name as systemd gives it to an app.
    @discardableResult
    func app(_ executable: String, _ arguments: [String] = [], named name: String) throws -> SwayApp {
        let process = try desktop.run(executable, arguments, environment: appEnvironment)
        return SwayApp(process: process, folder: try place(process.pid, name))
    }

    var appEnvironment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": buses.session.address, "GTK_USE_PORTAL": "0"]
    }

    /// Starts a program whose windows the test controls. With the environment of X11 it uses X11. Like an ordinary app, it has the
    /// same user and its own cgroup.
    func windows(named name: String, _ environment: [String: String]? = nil) throws -> SwayWindows {
        let program = try LineProgram(
            asUserOf: desktop,
            executable: programs.path(
                environment == nil ? "screentime-wayland-window" : "screentime-x11-window"
            ),
            environment: environment ?? [:]
        )
        return SwayWindows(program: program, folder: try place(program.process.pid, name))
    }

    private func place(_ pid: Int32, _ name: String) throws -> String? {
        guard let ground else { return nil }
        let folder = try ground.folder("app-\(name)-\(pid).scope")
        try ground.add(pid, to: folder)
        return folder
    }

    /// Returns true if the process is paused, by the state of its cgroup or its own. An app in several cgroups is stopped by
    /// signals.
    func isStill(_ pid: Int32, _ folder: String?) -> Bool {
        if let folder, ground?.isFrozen(folder) == true { return true }
        let text = ScratchDirectory.text("/proc/\(pid)/stat")
        return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first } == "T"
    }

    // MARK: - Pictures

    func colour(_ place: (x: Int, y: Int)) async throws -> UInt32 {
        try await desktop.colour(of: desktop.picture("look"), x: place.x, y: place.y)
    }

    /// Takes a picture, and keeps it if pictures are wanted. Returns its number of colours: a bare pane has few.
    @discardableResult
    func picture(_ name: String) async throws -> Int {
        let path = try await desktop.picture(name)
        if let folder = Self.pictures {
            mkdir(folder, 0o755)
            let copy = SpawnPlan(executable: "/bin/cp", arguments: ["--", path, "\(folder)/\(name).png"])
            _ = try SpawnedProcess(copy).wait(deadlineMs: 20_000)
        }
        let text = try desktop.output("/usr/bin/convert", [path, "-format", "%k", "info:"])
        return Int(text.prefix { $0.isNumber }) ?? 0
    }
}
