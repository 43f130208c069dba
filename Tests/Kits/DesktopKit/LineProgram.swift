import Glibc
package import STPlatform
import STTestSupport
import Synchronization

/// A program on a display that reads commands from standard input, one a line, and answers each with `ok …` or `no …`.
package final class LineProgram: Sendable {
    private struct Heard {
        var splitter = LineSplitter(lineBytesMax: 1 << 20)
        var lines: [String] = []
    }

    package let process: SpawnedProcess
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor
    /// The file with its standard error. `nil` if its display keeps that.
    private let log: String?
    private let heard = Mutex(Heard())

    /// Starts a program on X. `path` comes from `built`, or is any other program with this protocol.
    package convenience init(_ display: XDisplay, _ path: String, arguments: String...) throws {
        try self.init(log: nil) { try display.start(path, list: arguments, descriptors: $0) }
    }

    /// Starts a program of this package on Wayland.
    ///
    /// The program runs as the account that runs the tests, because other accounts may not be able to read the build folder.
    package convenience init(_ desktop: some WaylandDesktop, _ name: String, arguments: String...) throws {
        try self.init(log: desktop.scratch.file("programs.log")) {
            try desktop.runOwn(Self.built(name), arguments: arguments, descriptors: $0)
        }
    }

    /// Starts a program as the user who runs the desktop. This user must be able to read the executable.
    package convenience init(
        asUserOf desktop: some WaylandDesktop,
        executable: String,
        environment: [String: String] = [:],
        _ arguments: String...
    ) throws {
        let log = desktop.scratch.file("programs.log")
        try self.init(log: log) {
            try desktop.run(executable, arguments, environment: environment, descriptors: $0, log: log)
        }
    }

    private init(log: String?, _ start: ([Int32: Int32]) throws -> SpawnedProcess) throws {
        // Writing to a program that has ended must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let commands = try DescriptorPipe()
        let answers = try DescriptorPipe()
        try answers.makeReadEndNonblocking()
        process = try start([0: commands.readEnd.number, 1: answers.writeEnd.number])
        self.log = log
        input = commands.writeEnd
        output = answers.readEnd
    }

    /// Returns the path of a program of this package, which SwiftPM puts next to the tests' executable.
    package static func built(_ program: String) throws -> String { try BuiltTree.program(program) }

    /// Sends a command, waits for its answer, and returns it without the leading `ok`.
    @discardableResult
    package func ask(_ command: String, within limit: Duration = .seconds(30)) throws -> String {
        try send(command)
        let answer = try nextLine(within: limit)
        guard answer == "ok" || answer.hasPrefix("ok ") else { throw NotYet("\(command): \(answer)") }
        return String(answer.dropFirst(3))
    }

    package func send(_ command: String) throws {
        var rest = Array((command + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(input.number, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ended("before \(command.prefix(40))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next line of its output, in order.
    package func nextLine(within limit: Duration = .seconds(30)) throws -> String {
        let deadlineMs = Stopwatch.milliseconds() + limit.milliseconds
        while true {
            if let line = lines(max: 1).first { return line }
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { throw NotYet("the program said nothing within \(limit)") }
            _ = Readiness.wait(output.number, withinMs: leftMs)
            guard take() else { throw ended("without an answer") }
        }
    }

    /// Returns the lines since the last call, at most `max` of them.
    package func lines(max: Int = .max) -> [String] {
        _ = take()
        return heard.withLock { heard in
            let first = Array(heard.lines.prefix(max))
            heard.lines.removeFirst(first.count)
            return first
        }
    }

    /// Reads available output. Returns false once the program has closed it.
    private func take() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output.number, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EAGAIN }
        heard.withLock { heard in
            var lines: [String] = []
            heard.splitter.add(buffer[..<count]) { lines.append($0) }
            heard.lines += lines
        }
        return true
    }

    private func ended(_ when: String) -> NotYet {
        let status = String(describing: process.reap())
        return NotYet("the program has ended (\(status)) \(when): \(log.map(ScratchDirectory.text) ?? "")")
    }
}
