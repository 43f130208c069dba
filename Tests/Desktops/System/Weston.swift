import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// A real compositor that does not report the foreground window, like GNOME and KDE.
final class Weston {
    let environment: [String: String]
    private let process: SpawnedProcess
    private let scratch: ScratchDirectory
    /// The thread that starts it. The compositor ends with its starting thread, and this one ends with the test's process.
    private let starter: LoopThread

    init() throws {
        scratch = try ScratchDirectory()
        let log = open(scratch.file("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(log)
        try scratch.write("[core]\nidle-time=0\n[shell]\npanel-position=none\n", to: "weston.ini")
        environment = [
            "XDG_RUNTIME_DIR": scratch.path, "WAYLAND_DISPLAY": "wayland-7", "XDG_SESSION_TYPE": "wayland",
        ]
        let starter = try LoopThread(name: "weston starter")
        self.starter = starter
        let plan = SpawnPlan(
            executable: "/usr/bin/weston",
            arguments: [
                "--backend=headless-backend.so", "--socket=wayland-7",
                "--config=\(scratch.file("weston.ini"))",
            ],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path,
            ],
            standardOutput: output.number,
            standardError: output.number,
            startsSession: true,
            isTethered: true
        )
        process = try starter.wait { try SpawnedProcess(plan) }
        guard comesTrue(within: .seconds(30), { access(scratch.file("wayland-7"), F_OK) == 0 }) else {
            end()
            throw NotYet("weston has no socket: \(ScratchDirectory.text(scratch.file("log")))")
        }
    }

    deinit { end() }

    func end() {
        process.signal(SIGTERM)
        if process.wait(deadlineMs: 5_000) == nil {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
        }
        starter.stop()
        scratch.remove()
    }
}
