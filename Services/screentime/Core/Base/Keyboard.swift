import Glibc
package import STPlatform

/// Reads from the person at the terminal, even if input and output are pipes. Passcodes are read only from here.
///
/// A person may take long, so a separate thread waits for the input.
package final class Keyboard: Sendable {
    private static let lineBytesMax = 1_024
    /// Upper bound on the wait for a key. If the person has left, the command ends.
    private static let idleMsMax: Int32 = 5 * 60_000

    private let descriptor: OwnedDescriptor

    /// Opens the terminal. `path` is `/dev/tty` except in tests.
    package init(_ path: String) throws(Problem) {
        let number = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard number >= 0, isatty(number) == 1 else {
            if number >= 0 { close(number) }
            throw Problem(
                "terminal.none",
                """
                This command asks a question, and there is no terminal for the answer. Run it in a terminal \
                window, or with ssh -t.
                """
            )
        }
        descriptor = OwnedDescriptor(number)
    }

    package func say(_ text: String) { write(text + "\n") }

    /// Returns a line as it was typed. Returns `nil` at the end of the input.
    package func line(_ prompt: String) async throws -> String? {
        try await OwnThread.run("keyboard") { try self.readLine(prompt) }
    }

    /// Returns a line that is not shown while it is typed. Returns `nil` at the end of the input.
    package func hiddenLine(_ prompt: String) async throws -> String? {
        try await OwnThread.run("keyboard") { try self.readHidden(prompt) }
    }

    private func readLine(_ prompt: String) throws(Problem) -> String? {
        write(prompt)
        var bytes: [UInt8] = []
        while bytes.count < Self.lineBytesMax {
            guard let byte = try next() else { return bytes.isEmpty ? nil : text(&bytes) }
            if byte == UInt8(ascii: "\n") { return text(&bytes) }
            bytes.append(byte)
        }
        throw Self.tooLong
    }

    /// Reads key by key. Ctrl-C is read as a key, so the terminal's echo is always restored.
    private func readHidden(_ prompt: String) throws(Problem) -> String? {
        var saved = termios()
        guard tcgetattr(descriptor.number, &saved) == 0 else { throw SystemError.last("tcgetattr") }
        var quiet = saved
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        // Keys that were typed before the prompt were not meant for it, so they are discarded.
        guard tcsetattr(descriptor.number, TCSAFLUSH, &quiet) == 0 else {
            throw SystemError.last("tcsetattr")
        }
        defer {
            tcsetattr(descriptor.number, TCSAFLUSH, &saved)
            write("\n")
        }
        write(prompt)
        var line = HiddenLine(bytesMax: Self.lineBytesMax)
        while true {
            guard let byte = try next() else { return nil }
            switch line.append(byte) {
            case .more: continue
            case .done: return line.text()
            case .ended: return nil
            case .tooLong: throw Self.tooLong
            case .interrupted:
                throw Problem(
                    "terminal.interrupted",
                    "Interrupted. Nothing was changed."
                )
            }
        }
    }

    private static var tooLong: Problem {
        Problem("terminal.line_too_long", "The line is longer than \(lineBytesMax, "bytes") bytes.")
    }

    private func text(_ bytes: inout [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func next() throws(Problem) -> UInt8? {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = poll(&entry, 1, Self.idleMsMax)
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else {
                throw Problem(
                    "terminal.nobody",
                    "Nothing was typed for five minutes, so nothing was changed."
                )
            }
            var byte: UInt8 = 0
            let count = read(descriptor.number, &byte, 1)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            return count == 1 ? byte : nil
        }
    }

    /// Writes text. Texts of other programs cannot control the terminal, because control characters are replaced.
    private func write(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let safe = lines.map { DisplayWidth.sanitized(String($0)) }.joined(separator: "\n")
        _ = OwnedDescriptor.write(safe.utf8, to: descriptor.number)
    }
}

/// A line that is not shown while it is typed, with the editing keys of a terminal.
package struct HiddenLine {
    package enum Step: Equatable {
        case more
        case done
        /// The person typed Ctrl-D on an empty line.
        case ended
        case interrupted
        case tooLong
    }

    private let bytesMax: Int
    private var bytes: [UInt8] = []

    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
        // If the array grew later, copies of its contents would remain in memory.
        bytes.reserveCapacity(bytesMax)
    }

    package mutating func append(_ byte: UInt8) -> Step {
        switch byte {
        case 0x0A, 0x0D: return .done
        case 0x03, 0x1C: return .interrupted
        case 0x04: return bytes.isEmpty ? .ended : .done
        case 0x08, 0x7F: removeCharacter()
        case 0x15: wipe()
        default:
            guard bytes.count < bytesMax else { return .tooLong }
            bytes.append(byte)
        }
        return .more
    }

    /// Returns the line and overwrites its bytes.
    package mutating func text() -> String {
        defer { wipe() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes the last character with all its bytes.
    private mutating func removeCharacter() {
        while let last = bytes.popLast() {
            if last & 0xC0 != 0x80 { return }
        }
    }

    private mutating func wipe() {
        for index in bytes.indices { bytes[index] = 0 }
        bytes.removeAll(keepingCapacity: true)
    }
}
