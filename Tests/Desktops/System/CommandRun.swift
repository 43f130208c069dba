import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// A real run of `screentime` in an environment that a test chooses, with its output.
struct CommandRun {
    var code: Int32
    var text: String
    var tookMs: Int64

    /// Runs the command without the tests' own environment.
    init(_ arguments: [String], environment: [String: String], directories: Directories) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("output")
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        let output = OwnedDescriptor(number)
        let own = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "TZ": "UTC", "LANG": "C.UTF-8",
            "SCREENTIME_RUN": directories.run, "SCREENTIME_STATE": directories.state,
            "SCREENTIME_CONFIG": directories.config,
        ]
        let startMs = Stopwatch.milliseconds()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("screentime"),
                arguments: arguments,
                environment: own.merging(environment.filter { $0.key != "HOME" && $0.key != "PATH" }) { $1 },
                standardOutput: output.number,
                standardError: output.number,
                hasLifeline: true
            )
        )
        guard case .exited(let code) = process.wait(deadlineMs: 90_000) else {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
            throw NotYet("screentime \(arguments) did not end: \(ScratchDirectory.text(path))")
        }
        self.code = code
        tookMs = Stopwatch.milliseconds() - startMs
        text = ScratchDirectory.text(path)
    }

    var firstLine: String { text.split(separator: "\n").first.map(String.init) ?? "" }

    /// The text as one line, because a line break can be anywhere in a sentence.
    var flat: String { text.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }

    func json() throws -> JSONValue { try JSONValue(text: Array(text.utf8)) }
}
