import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// An invisible screen, with a real program that shows notifications on it.
final class TestScreen {
    private let scratch: ScratchDirectory
    private let server: SpawnedProcess
    private var dunst: SpawnedProcess?
    let environment: [String: String]

    /// `label` is the entry to choose in the menu that a right click opens.
    init(_ scratch: ScratchDirectory, bus: SessionBus, chosen label: String) throws {
        self.scratch = scratch
        let options = ["-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"]
        let (server, display) = try XDisplay.startServer(scratch, options)
        self.server = server
        environment = [
            "PATH": "/usr/bin:/bin", "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "HOME": scratch.path, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": scratch.path,
        ]
        try scratch.write(
            "#!/bin/sh\nexec grep --max-count=1 --fixed-strings '\(label)'\n",
            to: "choose",
            mode: 0o700
        )
        try scratch.write(
            """
            [global]
                width = 560
                height = 300
                origin = top-left
                offset = 20x20
                font = Sans 14
                markup = full
                format = "<b>%s</b>\\n%b"
                mouse_left_click = do_action
                mouse_right_click = context
                dmenu = \(scratch.file("choose"))
                idle_threshold = 0
                show_age_threshold = -1
            [urgency_normal]
                background = "#1e2a38"
                foreground = "#ffffff"
                timeout = 0
            """,
            to: "dunstrc"
        )
        try startDaemon()
    }

    func startDaemon() throws {
        dunst = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/dunst",
                arguments: ["-config", scratch.file("dunstrc")],
                environment: environment
            )
        )
    }

    func killDaemon() {
        dunst?.signal(SIGKILL)
        _ = dunst?.wait(deadlineMs: 5_000)
        dunst = nil
    }

    func stop() {
        killDaemon()
        server.signal(SIGKILL)
        _ = server.wait(deadlineMs: 5_000)
    }

    deinit { stop() }

    // MARK: - Looking and clicking

    /// Returns the output of a program.
    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String {
        let path = scratch.file("output")
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/\(program)",
                arguments: arguments,
                environment: environment,
                standardOutput: output.number,
                standardError: output.number
            )
        )
        let status = process.wait(deadlineMs: 20_000)
        let text = ScratchDirectory.text(path)
        guard status == .exited(0) else { throw NotYet("\(program) \(arguments): \(status as Any) \(text)") }
        return text
    }

    /// Clicks in the centre of the first notification.
    func click(button: Int) throws { try run("xdotool", "mousemove", "200", "50", "click", "\(button)") }

    /// Takes a picture of the whole screen.
    func picture(_ path: String) throws { try run("import", "-window", "root", path) }

    /// Returns the number of colours. An empty screen has one.
    func colours() throws -> Int {
        try picture(scratch.file("look.png"))
        let text = try run("convert", scratch.file("look.png"), "-format", "%k", "info:")
        return Int(text.prefix { $0.isNumber }) ?? 0
    }

    /// Returns the closed notifications in the daemon's history.
    func history() throws -> String {
        try run("dunstctl", "close-all")
        return try run("dunstctl", "history")
    }
}
