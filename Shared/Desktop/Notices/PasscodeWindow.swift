import Glibc
import STPlatform
import Synchronization

/// The desktop's own passcode dialog: whichever variant of pinentry is installed.
///
/// Has its own thread, which waits for the person. The kernel ends the dialog together with that thread.
actor PasscodeWindow {
    private static let name = "pinentry"
    private static let replyTimeout = Duration.seconds(10)
    private static let entryTimeout = Duration.seconds(120)
    private static let lineBytesMax = 4 * 1024

    struct Question: Sendable {
        var text: String
        var prompt: String
        /// The label of the dialog's button.
        var button: String
        /// The reason that the last passcode was rejected.
        var error: String?
    }

    private let thread: LoopThread
    private let environment: [String: String]
    /// The open dialog, so that `close` can end it from another thread.
    private let runningProcess = Mutex<SpawnedProcess?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ environment: [String: String]) throws {
        thread = try LoopThread(name: "passcode")
        self.environment = environment
    }

    nonisolated func close() {
        runningProcess.withLock { _ = $0?.signalGroup(SIGKILL) }
        thread.stop()
    }

    /// Returns the passcode, or `nil` if the person closed the dialog or let it time out.
    func requestPasscode(_ question: Question) throws -> String? {
        let directories = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        let programs: [String] = directories.map { "\($0)/\(Self.name)" }
        guard let path = programs.first(where: { access($0, X_OK) == 0 }) else {
            throw Problem(
                "notify.no_pinentry",
                "This desktop has no passcode dialog. Install one, such as pinentry-gnome3 or pinentry-qt."
            )
        }
        let (input, output) = (try DescriptorPipe(), try DescriptorPipe())
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: path,
                environment: environment,
                standardOutput: output.writeEnd.number,
                descriptors: [0: input.readEnd.number],
                startsSession: true,
                isTethered: true
            )
        )
        runningProcess.withLock { $0 = process }
        defer {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: Self.replyTimeout.ms)
            runningProcess.withLock { $0 = nil }
        }
        var lines = Lines(output.readEnd.number)
        try lines.expectOK(within: Self.replyTimeout)
        var commands = [
            "SETTITLE Screen Time", "SETDESC \(Self.escaped(question.text))",
            "SETPROMPT \(Self.escaped(question.prompt))", "SETOK \(Self.escaped(question.button))",
            "SETTIMEOUT \(Self.entryTimeout.ms / 1_000)",
        ]
        if let error = question.error { commands.append("SETERROR \(Self.escaped(error))") }
        for command in commands {
            try Self.write(command, to: input.writeEnd.number)
            try lines.expectOK(within: Self.replyTimeout)
        }
        try Self.write("GETPIN", to: input.writeEnd.number)
        return try lines.passcode(within: Self.entryTimeout + Self.replyTimeout)
    }

    private static func write(_ command: String, to descriptor: Int32) throws {
        let bytes = Array((command + "\n").utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError.last("write", "notify.pinentry_failed")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\n", with: "%0A").replacing("\r", with: "%0D")
    }

    /// The output of the dialog, line by line.
    private struct Lines {
        let descriptor: Int32
        private var buffer: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        mutating func expectOK(within timeout: Duration) throws {
            let line = try next(within: timeout)
            guard line.hasPrefix("OK") else {
                throw Problem("notify.pinentry_failed", "The passcode dialog reported: \(line, "line")")
            }
        }

        /// Returns `nil` if the dialog was closed without a passcode.
        mutating func passcode(within timeout: Duration) throws -> String? {
            var typed: String?
            while true {
                let line = try next(within: timeout)
                if line.hasPrefix("D ") {
                    typed = Self.unescaped(line.dropFirst(2))
                } else if line.hasPrefix("OK") {
                    return typed
                } else if line.hasPrefix("ERR") {
                    // The person cancelled the dialog, or it timed out. A missing screen is an error.
                    let code = line.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
                    if [99, 62, 114].contains(code & 0xffff) { return nil }
                    throw Problem(
                        "notify.pinentry_failed",
                        "The passcode dialog cannot open: \(line, "line")",
                        key: "notify.pinentry_failed.the-window-for"
                    )
                }
            }
        }

        private mutating func next(within timeout: Duration) throws -> String {
            while true {
                if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: buffer[..<end], as: UTF8.self)
                    buffer.removeSubrange(...end)
                    return line
                }
                var part = [UInt8](repeating: 0, count: 1_024)
                guard buffer.count < lineBytesMax, Readiness.wait(descriptor, withinMs: timeout.ms) else {
                    throw Problem(
                        "notify.pinentry_failed",
                        "The passcode dialog does not answer. Try again.",
                        key: "notify.pinentry_failed.the-window-for-passcodes"
                    )
                }
                let count = read(descriptor, &part, part.count)
                guard count > 0 else {
                    throw Problem(
                        "notify.pinentry_failed",
                        "The passcode dialog closed unexpectedly. Try again.",
                        key: "notify.pinentry_failed.the-window-for-passcodes-ended"
                    )
                }
                buffer += part[..<count]
            }
        }

        private static func unescaped(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "%"), rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
