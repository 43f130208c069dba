import Glibc
package import STPlatform
import STTestSupport
import Synchronization

/// A program on a display that takes commands on standard input and answers each with one line.
package final class XProgram: Sendable {
    private struct Heard {
        var splitter = LineSplitter()
        var lines: [String] = []
    }

    package let process: SpawnedProcess
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor
    private let heard = Mutex(Heard())

    /// `path` comes from `built`, or is anything else that keeps to the rule.
    package init(_ display: XDisplay, _ path: String, _ arguments: String...) throws {
        let commands = try DescriptorPipe()
        let answers = try DescriptorPipe()
        try answers.makeReadEndNonblocking()
        process = try display.start(
            path,
            list: arguments,
            descriptors: [0: commands.readEnd.number, 1: answers.writeEnd.number]
        )
        input = commands.writeEnd
        output = answers.readEnd
    }

    /// The path of a program of this package, which SwiftPM puts beside that of the tests.
    package static func built(_ program: String) throws -> String { try BuiltTree.program(program) }

    /// Tells it something and waits for its answer, without the `ok` before it.
    @discardableResult
    package func ask(_ command: String, within limit: Duration = .seconds(30)) throws -> String {
        try send(command)
        let answer = try nextLine(within: limit)
        guard answer == "ok" || answer.hasPrefix("ok ") else { throw NotYet("\(command): \(answer)") }
        return String(answer.dropFirst(3))
    }

    package func send(_ command: String) throws {
        let bytes = Array((command + "\n").utf8)
        guard write(input.number, bytes, bytes.count) == bytes.count else {
            throw NotYet("the program has ended before \(command)")
        }
    }

    /// The next line that it writes.
    package func nextLine(within limit: Duration = .seconds(30)) throws -> String {
        let deadlineMs = Stopwatch.milliseconds() + limit.milliseconds
        while true {
            if let line = lines(max: 1).first { return line }
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { throw NotYet("the program said nothing within \(limit)") }
            _ = Readiness.wait(output.number, withinMs: leftMs)
            guard take() else { throw NotYet("the program has ended") }
        }
    }

    /// What it has written until now and nobody has read.
    package func lines(max: Int = .max) -> [String] {
        _ = take()
        return heard.withLock { heard in
            let first = Array(heard.lines.prefix(max))
            heard.lines.removeFirst(first.count)
            return first
        }
    }

    /// False once there is nothing to come.
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
}
