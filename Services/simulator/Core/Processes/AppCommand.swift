import Glibc
import STPlatform

/// One run of an app's own command.
struct AppCommand {
    private static let endMs: Int64 = 60_000
    private static let pauseMs: Int64 = 2
    private static let toldLines = 5
    private static let shownLines = 200

    private let plan: SpawnPlan
    private let output: OwnedDescriptor
    private let path: String

    init(_ executable: String, _ words: [String], _ environment: [String: String], folder: String) throws {
        path = "\(folder)/command-output"
        let number = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError.last("open") }
        output = OwnedDescriptor(number)
        plan = SpawnPlan(
            executable: executable,
            arguments: words,
            environment: environment,
            standardOutput: number,
            standardError: number,
            hasLifeline: true
        )
    }

    /// Returns once it has ended well, with what it wrote.
    func run() async throws -> [String] {
        let process = try SpawnedProcess(plan)
        let deadlineMs = Stopwatch.milliseconds() + Self.endMs
        while true {
            if let status = process.reap() {
                guard status == .exited(0) else { throw failed("\(status)") }
                return lines.suffix(Self.shownLines)
            }
            guard Stopwatch.milliseconds() < deadlineMs else {
                process.signalGroup(SIGKILL)
                _ = process.wait(deadlineMs: 1_000)
                throw failed("has not ended within \(TextFormat.duration(ms: Self.endMs))")
            }
            try await Task.sleep(for: .milliseconds(Self.pauseMs))
        }
    }

    private var lines: [String] {
        let text = (try? AtomicFile.read(path, limitBytes: 1 << 20)).map {
            String(decoding: $0, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    private func failed(_ how: String) -> Problem {
        let lines = lines.suffix(Self.toldLines).joined(separator: " / ")
        let words = ([plan.executable.split(separator: "/").last.map(String.init) ?? ""] + plan.arguments)
            .joined(separator: " ")
        return Problem(
            "simulation.command_failed",
            "\(words) \(how). It wrote: \(lines.isEmpty ? "nothing" : lines)"
        )
    }
}
