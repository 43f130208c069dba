import Glibc
package import STPlatform
package import STTestSupport

/// The assistive technology of desktops on a session bus, and an independent program that reads the accessible objects.
package final class AccessibilityGround: Sendable {
    private static let launcher = "/usr/libexec/at-spi-bus-launcher"
    private static let python = "/usr/bin/python3"
    private static let typelib = "/usr/lib/\(machine)-linux-gnu/girepository-1.0/Atspi-2.0.typelib"

    private static var machine: String {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }

    private let scratch: ScratchDirectory
    private let process: SpawnedProcess
    private let environment: [String: String]

    package static var isAvailable: Bool {
        [launcher, python, typelib].allSatisfy { (path: String) in access(path, F_OK) == 0 }
    }

    /// `isEnabled` is the setting of the user.
    package init(_ bus: SessionBus, _ scratch: ScratchDirectory, isEnabled: Bool) throws {
        self.scratch = scratch
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "XDG_RUNTIME_DIR": scratch.path, "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "GSETTINGS_BACKEND": "memory", "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        process = try SpawnedProcess(
            SpawnPlan(
                executable: Self.launcher,
                arguments: ["--launch-immediately", "--a11y=\(isEnabled ? 1 : 0)"],
                environment: environment
            )
        )
        try scratch.write(AccessibilityReader.text, to: "reader.py")
        let socket = scratch.file("at-spi/bus")
        guard comesTrue({ access(socket, F_OK) == 0 }) else { throw NotYet("there is no accessibility bus") }
        // The launcher takes its name only afterwards, and the registry starts with the first call.
        _ = try eventuallyBlocking(within: .seconds(60), "assistive technology answers") { try tree() }
    }

    /// Stops the launcher. Its bus and registry end with it.
    package func stop() {
        process.signal(SIGTERM)
        if process.wait(deadlineMs: 5_000) == nil { process.signalGroup(SIGKILL) }
        _ = process.wait(deadlineMs: 5_000)
    }

    /// Returns a line for each of this project's objects: role, name, description, states, frame. Deeper objects are indented.
    package func tree() throws -> String { try run("tree") }

    /// Presses the button with that name, as a switch device or a voice command does.
    package func press(_ name: String) throws -> String { try run("press", name) }

    /// Writes events to a file until the process is stopped.
    package func listen() throws -> (process: SpawnedProcess, path: String) {
        let path = scratch.file("events")
        return (try start(["listen"], path), path)
    }

    private func run(_ arguments: String...) throws -> String {
        let path = scratch.file("reader-\(Stopwatch.nanoseconds())")
        let reader = try start(arguments, path)
        let status = reader.wait(deadlineMs: 30_000)
        if status == nil { reader.signal(SIGKILL) }
        let text = ScratchDirectory.text(path)
        guard status == .exited(0) else { throw NotYet("the reader: \(status as Any) \(text)") }
        return text
    }

    private func start(_ arguments: [String], _ path: String) throws -> SpawnedProcess {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        return try SpawnedProcess(
            SpawnPlan(
                executable: Self.python,
                arguments: ["-W", "ignore", scratch.file("reader.py")] + arguments,
                environment: environment,
                standardOutput: output.number,
                standardError: output.number
            )
        )
    }
}
