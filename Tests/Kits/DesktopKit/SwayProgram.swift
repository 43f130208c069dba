import Glibc
package import STPlatform
import STTestSupport
import Synchronization

/// A program on a sway that takes commands on standard input and answers each with one line.
package final class SwayProgram: Sendable {
    private struct Heard {
        var splitter = LineSplitter(lineBytesMax: 1 << 20)
        var lines: [String] = []
    }

    package let process: SpawnedProcess
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor
    /// What it and its like said on standard error.
    private let log: String
    private let heard = Mutex(Heard())

    /// A program of this package, which SwiftPM puts beside that of the tests.
    ///
    /// It runs as whoever runs the tests: what lies beside them need not be readable to anybody else.
    package convenience init(_ sway: Sway, _ name: String, _ arguments: String...) throws {
        try self.init(sway) { try sway.runOwn(Self.built(name), arguments, $0) }
    }

    /// The same as the user who runs sway, who must be able to reach the executable.
    package convenience init(asUserOf sway: Sway, executable: String, _ arguments: String...) throws {
        try self.init(sway) {
            try sway.run(executable, arguments, descriptors: $0, log: sway.scratch.file("programs.log"))
        }
    }

    private init(_ sway: Sway, _ start: ([Int32: Int32]) throws -> SpawnedProcess) throws {
        // One that has ended must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let commands = try DescriptorPipe()
        let answers = try DescriptorPipe()
        try answers.makeReadEndNonblocking()
        process = try start([0: commands.readEnd.number, 1: answers.writeEnd.number])
        log = sway.scratch.file("programs.log")
        input = commands.writeEnd
        output = answers.readEnd
    }

    package static func built(_ name: String) throws -> String { try BuiltTree.program(name) }

    /// Tells it something and waits for its answer, without the `ok` before it.
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
            guard count > 0 else {
                throw NotYet(
                    "the program has ended (\(String(describing: process.reap())), \(takeLine() ?? "")) before \(command.prefix(40)): \(ScratchDirectory.text(log))"
                )
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The next line it printed, in order.
    package func nextLine(within limit: Duration = .seconds(30)) throws -> String {
        try eventuallyBlocking(within: limit, "an answer") {
            guard let line = takeLine() else { throw NotYet("nothing was said") }
            return line
        }
    }

    /// All that it printed since the last look.
    package func lines() -> [String] {
        var result: [String] = []
        while let line = takeLine() { result.append(line) }
        return result
    }

    private func takeLine() -> String? {
        heard.withLock { heard in
            if heard.lines.isEmpty {
                // A poll of what is there, and a moment's patience: the answer is mostly on its way.
                guard Readiness.wait(output.number, withinMs: 20) else { return nil }
                var buffer = [UInt8](repeating: 0, count: 64 * 1024)
                let count = read(output.number, &buffer, buffer.count)
                guard count > 0 else { return nil }
                var lines: [String] = []
                heard.splitter.add(buffer[..<count]) { lines.append($0) }
                heard.lines = lines
            }
            return heard.lines.isEmpty ? nil : heard.lines.removeFirst()
        }
    }
}
