import Glibc
package import STDesktop
package import STPlatform
package import STTestSupport
import Synchronization

/// A real X server without a screen, a window manager on it, and all programs that a test starts on it.
///
/// Everything ends with `stop`, or when this object is released.
package final class XDisplay: Sendable {
    private let scratch: ScratchDirectory
    private let server: SpawnedProcess
    private let started = Mutex<[SpawnedProcess]>([])
    private let outputs = Mutex(0)
    /// The display name, such as `:4`.
    package let name: String
    /// The environment of programs on this display. Nothing is inherited from the tests.
    package let environment: [String: String]

    /// `monitors` divide the screen from left to right. `windowManager` is started instead of openbox.
    package init(
        _ scratch: ScratchDirectory,
        width: Int = 1280,
        height: Int = 800,
        monitors: [ScreenRect] = [],
        dpi: Int = 96,
        hasWindowManager: Bool = true,
        windowManager: [String]? = nil,
        serverOptions: [String] = []
    ) throws {
        self.scratch = scratch
        let options =
            ["-screen", "0", "\(width)x\(height)x24", "-dpi", "96", "-nolisten", "tcp", "-noreset"]
            + serverOptions
        (server, name) = try Self.startServer(scratch, options)
        environment = [
            "PATH": "/usr/bin:/bin", "DISPLAY": name, "HOME": scratch.path, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": scratch.path, "XDG_SESSION_TYPE": "x11", "NO_AT_BRIDGE": "1",
            // Toolkits would start their own bus, which would never end.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch.path)/no-bus",
        ]
        do {
            try arrange(monitors, dpi)
            if hasWindowManager { try startWindowManager(windowManager) }
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// Ends everything on this display, then the display.
    package func stop() {
        // The server first: programs with windows then end in their own ways.
        server.signal(SIGCONT)
        server.signal(SIGTERM)
        if server.wait(deadlineMs: 3_000) == nil { killServer() }
        let children = started.withLock { children in
            defer { children = [] }
            return children
        }
        for child in children {
            child.signalGroup(SIGCONT)
            child.signalGroup(SIGKILL)
            _ = child.wait(deadlineMs: 5_000)
        }
    }

    /// Kills the server. The programs notice it themselves.
    package func killServer() {
        server.signal(SIGKILL)
        guard server.wait(deadlineMs: 5_000) != nil else { return }
        // A killed server leaves its files. Another server may have taken the display number since.
        let lock = "/tmp/.X\(name.dropFirst())-lock"
        let owner = Int32(ScratchDirectory.text(lock).filter(\.isNumber))
        guard owner == server.pid else { return }
        unlink("/tmp/.X11-unix/X\(name.dropFirst())")
        unlink(lock)
    }

    /// Stops the server, which then no longer replies.
    package func pauseServer() { server.signal(SIGSTOP) }

    package var serverPid: Int32 { server.pid }

    // MARK: - Programs

    /// Starts a program that runs until the display stops.
    @discardableResult
    package func start(
        _ program: String,
        _ arguments: String...,
        environment extra: [String: String] = [:]
    ) throws -> SpawnedProcess {
        try start(program, list: arguments, environment: extra)
    }

    @discardableResult
    package func start(
        _ program: String,
        list arguments: [String],
        environment extra: [String: String] = [:],
        descriptors: [Int32: Int32] = [:]
    ) throws -> SpawnedProcess {
        let output = try descriptors[1] == nil ? log() : nil
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: program.hasPrefix("/") ? program : "/usr/bin/\(program)",
                arguments: arguments,
                environment: environment.merging(extra) { $1 },
                standardOutput: output?.number,
                standardError: output?.number,
                descriptors: descriptors
            )
        )
        started.withLock { $0.append(process) }
        return process
    }

    /// The output of all programs that were started here.
    package var programLog: String { ScratchDirectory.text(scratch.file("x-programs.log")) }

    /// Runs a program, optionally with an input file, and returns its output. Throws if it fails.
    @discardableResult
    package func run(_ program: String, _ arguments: String..., input: String? = nil) throws -> String {
        try run(program, list: arguments, input: input)
    }

    @discardableResult
    package func run(_ program: String, list arguments: [String], input: String? = nil) throws -> String {
        let path = scratch.file("output-\(nextOutput())")
        let output = try Self.open(path)
        defer { unlink(path) }
        let words = input.map { Glibc.open($0, O_RDONLY | O_CLOEXEC) }.map(OwnedDescriptor.init)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/\(program)",
                arguments: arguments,
                environment: environment,
                standardOutput: output.number,
                standardError: output.number,
                descriptors: words.map { [0: $0.number] } ?? [:]
            )
        )
        guard let status = process.wait(deadlineMs: 120_000) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
            throw NotYet("\(program) \(arguments) did not end")
        }
        let text = ScratchDirectory.text(path)
        guard status == .exited(0) else { throw NotYet("\(program) \(arguments): \(status) \(text)") }
        return text
    }

    private func nextOutput() -> Int {
        outputs.withLock { count in
            count += 1
            return count
        }
    }

    private func log() throws -> OwnedDescriptor {
        let number = Glibc.open(
            scratch.file("x-programs.log"),
            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
            0o600
        )
        guard number >= 0 else { throw SystemError.last("open") }
        return OwnedDescriptor(number)
    }

    private static func open(_ path: String) throws -> OwnedDescriptor {
        let number = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        return OwnedDescriptor(number)
    }

    // MARK: - The server and its window manager

    /// Starts Xvfb with the first free display number.
    ///
    /// Xvfb ends with "server already running" if another X server takes the number that it has just found free. This also happens
    /// beside the servers of Wayland compositors, so the next number is tried.
    package static func startServer(
        _ scratch: ScratchDirectory,
        _ options: [String]
    ) throws -> (SpawnedProcess, String) {
        for _ in 0..<startsMax {
            if let started = try tryToStart(scratch, options) { return started }
        }
        throw NotYet("Xvfb has no display: \(ScratchDirectory.text(scratch.file("display.log")))")
    }

    private static let startsMax = 10

    /// Returns `nil` if the server ended because its number was taken.
    private static func tryToStart(
        _ scratch: ScratchDirectory,
        _ options: [String]
    ) throws -> (SpawnedProcess, String)? {
        let path = scratch.file("display")
        let output = try open(path)
        let errors = try open(scratch.file("display.log"))
        let server = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/Xvfb",
                arguments: ["-displayfd", "1"] + options,
                environment: ["PATH": "/usr/bin:/bin"],
                standardOutput: output.number,
                standardError: errors.number
            )
        )
        _ = comesTrue(within: .seconds(30)) {
            ScratchDirectory.text(path).hasSuffix("\n") || server.hasEnded
        }
        guard ScratchDirectory.text(path).hasSuffix("\n") else {
            let isTaken = server.hasEnded
            server.signal(SIGKILL)
            _ = server.wait(deadlineMs: 5_000)
            let log = ScratchDirectory.text(scratch.file("display.log"))
            guard isTaken, log.contains("server already running") else {
                throw NotYet("Xvfb has no display: \(log)")
            }
            return nil
        }
        return (server, ":" + ScratchDirectory.text(path).prefix { $0.isNumber })
    }

    private func arrange(_ monitors: [ScreenRect], _ dpi: Int) throws {
        if dpi != 96 {
            try scratch.write("Xft.dpi: \(dpi)\n", to: "xresources")
            try run("xrdb", "-nocpp", "-merge", scratch.file("xresources"))
        }
        for (index, monitor) in monitors.enumerated() {
            // Sizes in millimetres are arbitrary here. An output of the server can belong to only one monitor.
            try run(
                "xrandr",
                "--setmonitor",
                "MONITOR-\(index + 1)",
                "\(monitor.width)/300x\(monitor.height)/200+\(monitor.x)+\(monitor.y)",
                index == 0 ? "screen" : "none"
            )
        }
    }

    package func startWindowManager(_ words: [String]? = nil) throws {
        try scratch.write(Self.windowManagerSettings, to: "openbox.xml")
        let words = words ?? ["openbox", "--sm-disable", "--config-file", scratch.file("openbox.xml")]
        try start(words[0], list: Array(words.dropFirst()))
        try eventuallyBlocking(within: .seconds(30), "the window manager is there") {
            let text = try run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK", "_NET_NUMBER_OF_DESKTOPS")
            guard text.contains("window id"), text.contains("= 2") || text.contains("= 4") else {
                throw NotYet(text)
            }
        }
    }

    /// Two workspaces, no animations, and a click activates a window.
    private static let windowManagerSettings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <openbox_config xmlns="http://openbox.org/3.4/rc">
        <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
        <placement><policy>Smart</policy><center>no</center></placement>
        <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
        <desktops><number>2</number><firstdesk>1</firstdesk><popupTime>0</popupTime></desktops>
        <keyboard>
        <keybind key="A-F4"><action name="Close"/></keybind>
        <keybind key="A-Tab"><action name="NextWindow"/></keybind>
        </keyboard>
        <mouse><dragThreshold>8</dragThreshold>
        <context name="Client"><mousebind button="Left" action="Press">
        <action name="Focus"/><action name="Raise"/></mousebind></context>
        <context name="Titlebar"><mousebind button="Left" action="Press">
        <action name="Focus"/><action name="Raise"/></mousebind>
        <mousebind button="Left" action="Drag"><action name="Move"/></mousebind></context>
        </mouse>
        </openbox_config>
        """

    // The content of the display for other programs.

    /// Takes a picture of the whole screen. The file name determines the format.
    package func picture(_ path: String) throws { try run("import", "-window", "root", path) }

    /// Returns the colour of one pixel of the screen, as `#RRGGBB`.
    package func colour(x: Int, y: Int) throws -> String {
        let text = try run(
            "import",
            "-window",
            "root",
            "-crop",
            "1x1+\(x)+\(y)",
            "-depth",
            "8",
            "txt:-"
        )
        guard let start = text.lastIndex(of: "#") else { throw NotYet("no colour in \(text)") }
        return String(text[start...].prefix(7))
    }

    /// Returns the numbers of the managed windows, in the order of `_NET_CLIENT_LIST`.
    package func clients() throws -> [UInt32] { try windows("_NET_CLIENT_LIST") }

    /// Returns the foreground window of the window manager, or `nil` if there is none.
    package func activeWindow() throws -> UInt32? {
        try windows("_NET_ACTIVE_WINDOW").first { $0 != 0 }
    }

    /// Sends input. Each call starts a program and is slow, so hundreds of inputs belong in one call.
    package func xdotool(_ words: String...) throws { try run("xdotool", list: words) }

    /// Moves the pointer to and fro over a part of the screen.
    package func wave(_ count: Int, over frame: ScreenRect) throws {
        for start in stride(from: 0, to: count, by: 500) {
            let words = (start..<min(count, start + 500)).flatMap { index in
                ["mousemove", "\(frame.x + index % frame.width)", "\(frame.y + index * 7 % frame.height)"]
            }
            try run("xdotool", list: words)
        }
    }

    private func windows(_ property: String) throws -> [UInt32] {
        let text = try run("xprop", "-root", property)
        guard let hash = text.firstIndex(of: "#") else { return [] }
        return text[text.index(after: hash)...].split { $0 == "," || $0 == " " || $0 == "\n" }
            .compactMap { $0.hasPrefix("0x") ? UInt32($0.dropFirst(2), radix: 16) : nil }
    }
}
