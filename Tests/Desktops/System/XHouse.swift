import Glibc
import STContracts
import STDesktop
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ

/// Real services on a real X display with a window manager, buses, a mock of logind, and windows that the test controls.
final class XHouse: House {
    static let services: [ServiceName] = [
        .auth, .activity, .monitor, .shield, .report, .notifier, .desktop,
    ]
    /// Windows of these classes belong to apps with the same names in lower case.
    static let classes = ["Alpha", "Beta", "Gamma"]

    let system: TestSystem
    let display: XDisplay
    let buses: DBusPair
    let logind: LogindMock

    /// The id of the session in logind.
    static let session = "c7"

    private init(_ system: TestSystem, display: XDisplay, buses: DBusPair, logind: LogindMock) {
        self.system = system
        self.display = display
        self.buses = buses
        self.logind = logind
    }

    /// `settings` are those of desktop-agent, such as `idle_ms`.
    static func run(
        settings: [String: String] = [:],
        environment further: [String: String] = [:],
        width: Int = 1280,
        height: Int = 800,
        dpi: Int = 96,
        services: [ServiceName] = XHouse.services,
        monitors: [ScreenRect] = [],
        classes: [String] = XHouse.classes,
        windowManager: ((ScratchDirectory) -> [String])? = nil,
        isDemo: Bool = true,
        _ body: (XHouse) async throws -> Void
    ) async throws {
        try await ground(session, uid: getuid(), type: "x11") { scratch, buses, logind in
            let display = try XDisplay(
                scratch,
                width: width,
                height: height,
                monitors: monitors,
                dpi: dpi,
                windowManager: windowManager?(scratch)
            )
            defer { display.stop() }
            var environment = display.environment.merging(buses.environment) { $1 }
            environment["SCREENTIME_DESKTOP_AGENT_ADAPTER"] = "auto"
            environment["XDG_SESSION_ID"] = session
            environment["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS"] = try Self.entries(scratch, classes)
            for (name, value) in settings {
                environment["SCREENTIME_DESKTOP_AGENT_" + name.uppercased()] = value
            }
            environment.merge(further) { $1 }
            var options = TestSystemOptions(environment: environment)
            options.isDemo = isDemo
            try await TestSystem.run(services: services, options: options) { system in
                let house = XHouse(system, display: display, buses: buses, logind: logind)
                try await house.waitUntilSeen()
                try await body(house)
            }
        }
    }

    private static func entries(_ scratch: ScratchDirectory, _ classes: [String]) throws -> String {
        let folder = scratch.file("applications")
        guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir") }
        let program = try LineProgram.built("screentime-x11-window")
        for name in classes {
            try scratch.write(
                """
                [Desktop Entry]
                Type=Application
                Name=\(name)
                Name[ko]=\(name) 앱
                Exec=\(program)
                StartupWMClass=\(name)
                """,
                to: "applications/\(name.lowercased()).desktop"
            )
        }
        // The real entries too: they precede those of a home folder.
        return "\(folder):/usr/share/applications"
    }

    private func waitUntilSeen() async throws {
        try await eventually(within: .seconds(30), "the agent sees the display") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.source == "x11", status.isBlind != true, status.member != nil else {
                throw NotYet("\(status)")
            }
        }
    }

    func ask<R: Route>(_ route: R.Type, _ request: R.Request) async throws -> R.Reply {
        try await system.client.call(route, request)
    }

    // MARK: - Windows

    func program() throws -> LineProgram {
        try LineProgram(display, LineProgram.built("screentime-x11-window"))
    }

    /// Opens a window. It is in the foreground when this returns.
    func window(
        _ program: LineProgram,
        _ name: String,
        x: Int = 100,
        y: Int = 100,
        width: Int = 500,
        height: Int = 400
    )
        async throws -> Int
    {
        let answer = try program.ask("map \(name) \(name) \(x) \(y) \(width) \(height)")
        let words = answer.split(separator: " ")
        guard let number = words.first.flatMap({ Int($0) }), words.count == 2 else { throw NotYet(answer) }
        try await inFront(name.lowercased())
        return number
    }

    // MARK: - Shields

    /// Waits until no cover is on the screen. The agent thaws the app first, and removes the cover a moment later.
    func noCoverIsLeft() throws {
        try eventuallyBlocking("no cover is on the screen") {
            let tree = try display.run("xwininfo", "-root", "-tree")
            guard !tree.contains("screentime-shield") else { throw NotYet(tree) }
        }
    }

    /// Waits until the process runs, by its state in the kernel.
    func runs(_ pid: Int32) throws {
        try eventuallyBlocking(within: .seconds(20), "\(pid) runs") {
            guard let now = ProcessState.of(pid), "SRD".contains(now) else {
                throw NotYet("\(String(describing: ProcessState.of(pid)))")
            }
        }
    }

    /// Returns the stopped ones of these processes.
    func stopped(among pids: [Int32]) -> [Int32] { pids.filter { ProcessState.of($0) == "T" } }

    // MARK: - Apps

    /// Starts a real editor with this file. It is in the foreground when this returns.
    func editor(_ file: String) async throws -> SpawnedProcess {
        let editor = try display.start("mousepad", list: [file], environment: appEnvironment)
        try await eventually(within: .seconds(60), "the editor is in front") {
            let status = try await ask(DesktopStatus.self, Empty())
            guard status.app == Self.mousepad else { throw NotYet("\(status)") }
        }
        return editor
    }

    var appEnvironment: [String: String] {
        buses.environment.merging(["GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0"]) { $1 }
    }

    /// Types, saves, and waits until the file contains the text.
    func write(_ text: String, to file: String) async throws {
        // One key after the other, as a person does.
        try display.xdotool("type", "--delay", "15", text)
        try await eventually(within: .seconds(20), "\(text) is in the file") {
            try display.xdotool("key", "ctrl+s")
            try await Task.sleep(for: .milliseconds(150))
            let found = ScratchDirectory.text(file)
            guard found.contains(text) else { throw NotYet(found) }
        }
    }

    /// Moves the pointer, so that a person counts as active.
    func touch(_ x: Int = 300, _ y: Int = 300) throws {
        try display.xdotool("mousemove", "\(x)", "\(y)", "mousemove_relative", "--", "1", "0")
    }

    /// Keeps a picture if pictures are wanted.
    func keepPicture(_ name: String) throws {
        guard let folder = Self.pictures else { return }
        try display.picture("\(folder)/\(name).png")
    }

    // MARK: - Notifications

    /// Starts a real program that shows notifications.
    func showNotifications(_ scratch: ScratchDirectory) async throws {
        try scratch.write(
            """
            [global]
                width = 360
                origin = top-right
                offset = 20x20
                font = Sans 11
                markup = full
                format = "<b>%s</b>\\n%b"
                idle_threshold = 0
            [urgency_normal]
                background = "#1e2a38"
                foreground = "#ffffff"
                timeout = 0
            """,
            to: "dunstrc"
        )
        try display.start("dunst", list: ["-config", scratch.file("dunstrc")], environment: appEnvironment)
        try await eventually(within: .seconds(20), "notifications are shown") {
            let desktop = try await ask(NotifyList.self, .init()).desktop
            guard desktop?.state == .ready else { throw NotYet("\(String(describing: desktop))") }
        }
    }
}
