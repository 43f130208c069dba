import Glibc
import STContracts
import STPlatform

/// Where an export goes: a file that was not there before, or standard output.
final class ExportFile {
    private static let bufferBytes = 64 * 1024

    private let path: String
    private let file: OwnedDescriptor?
    private let terminal: Terminal
    private var buffer: [UInt8] = []
    private(set) var lines: Int64 = 0
    private(set) var bytes: Int64 = 0

    var isStandardOutput: Bool { file == nil }

    init(_ path: String, _ terminal: Terminal) throws(Problem) {
        self.path = path
        self.terminal = terminal
        guard path != "-" else {
            file = nil
            return
        }
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.notMade(path, errno) }
        file = OwnedDescriptor(number)
    }

    private static func notMade(_ path: String, _ error: Int32) -> Problem {
        if error == EEXIST {
            return Problem(
                "export.exists",
                "\(path) is there already, and an export never replaces anything.",
                help: "screentime data export \(path)-2"
            )
        }
        return Problem("export.not_written", "Cannot write \(path): \(SystemError.text(error)).")
    }

    /// False when it is too long for any line, and was left out.
    func add(_ line: [UInt8]) throws(Problem) -> Bool {
        guard line.count <= ExportLine.bytesMax else { return false }
        buffer += line
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        if buffer.count >= Self.bufferBytes { try flush() }
        return true
    }

    /// On the disk once this returns.
    func finish() throws(Problem) {
        try flush()
        if let file, fsync(file.number) != 0, errno != EINVAL {
            throw Problem("export.not_written", "Cannot write \(path): \(SystemError.text(errno)).")
        }
    }

    /// What was not finished is of no use to anybody.
    func discard() {
        if file != nil { unlink(path) }
    }

    private func flush() throws(Problem) {
        bytes += Int64(buffer.count)
        defer { buffer.removeAll(keepingCapacity: true) }
        guard let file else {
            // The terminal ends each text with a line end of its own.
            if !buffer.isEmpty { terminal.write(String(decoding: buffer.dropLast(), as: UTF8.self)) }
            return
        }
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw Problem("export.not_written", "Cannot write \(path): \(SystemError.text(errno)).")
            }
            rest = rest.dropFirst(count)
        }
    }
}
