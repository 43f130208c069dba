import Glibc
import STDesktopKit
import STPlatform
import STTestSupport

/// An X server that shows its windows on a Wayland compositor without a monitor.
final class XWaylandServer {
    private let scratch: ScratchDirectory
    private var processes: [SpawnedProcess] = []
    private(set) var display = ""

    init() throws {
        scratch = try ScratchDirectory()
        let isRoot = getuid() == 0
        let plainUser: UInt32 = 65_534
        chmod(scratch.path, 0o711)
        let run = scratch.file("run")
        mkdir(run, 0o700)
        if isRoot { chown(run, plainUser, plainUser) }
        try scratch.write("xwayland disable\n", to: "sway", mode: 0o644)
        let sway = ["/usr/bin/sway", "-c", scratch.file("sway")]
        // The compositor refuses to run as root.
        let words =
            isRoot
            ? ["/usr/bin/setpriv", "--reuid", "\(plainUser)", "--regid", "\(plainUser)", "--clear-groups"]
                + sway
            : sway
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": run, "XDG_RUNTIME_DIR": run, "WLR_BACKENDS": "headless",
            "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
        ]
        do {
            try start(words, environment, log: "sway.log")
            let socket = "\(run)/wayland-1"
            guard comesTrue(within: .seconds(30), { access(socket, F_OK) == 0 }) else {
                throw NotYet("sway is not there: \(ScratchDirectory.text(scratch.file("sway.log")))")
            }
            let server = ["/usr/bin/Xwayland", "-displayfd", "1", "-noreset"]
            let wayland = [
                "PATH": "/usr/bin:/bin", "HOME": run, "WAYLAND_DISPLAY": socket, "XDG_RUNTIME_DIR": run,
            ]
            try start(server, wayland, log: "display")
            let path = scratch.file("display")
            guard comesTrue(within: .seconds(30), { ScratchDirectory.text(path).hasSuffix("\n") }) else {
                throw NotYet("Xwayland has no display")
            }
            display = ":" + ScratchDirectory.text(path).prefix { $0.isNumber }
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    func stop() {
        for process in processes.reversed() {
            process.signalGroup(SIGTERM)
            if process.wait(deadlineMs: 3_000) == nil { process.signalGroup(SIGKILL) }
            _ = process.wait(deadlineMs: 5_000)
        }
        processes = []
    }

    private func start(_ words: [String], _ environment: [String: String], log: String) throws {
        let number = open(scratch.file(log), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0, let program = words.first else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        processes.append(
            try SpawnedProcess(
                SpawnPlan(
                    executable: program,
                    arguments: Array(words.dropFirst()),
                    environment: environment,
                    standardOutput: output.number,
                    standardError: log == "display" ? nil : output.number
                )
            )
        )
    }
}

/// Listens at the address of a display and never replies.
final class XSilentServer {
    let display: String
    private let listener: OwnedDescriptor

    init() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        listener = OwnedDescriptor(number)
        // Far above the numbers that servers choose. It is an abstract name without a file.
        let chosen = 20_000 + Int(getpid()) % 10_000
        display = ":\(chosen)"
        let name = [0] + Array("/tmp/.X11-unix/X\(chosen)".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        guard result == 0, listen(number, 4) == 0 else { throw SystemError.last("bind") }
    }
}
