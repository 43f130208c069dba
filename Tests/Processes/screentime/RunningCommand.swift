import STPlatform
import STTestSupport

/// A running command, and its output.
final class RunningCommand: Sendable {
    let process: SpawnedProcess
    private let outputPath: String

    init(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String],
        outputPath: String,
        descriptors: [Int32: Int32] = [:]
    ) throws {
        self.outputPath = outputPath
        try AtomicFile.write([], to: outputPath, durable: false)
        // Use a shell, because it can open the file for appending, and `exec` keeps the pid.
        process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/sh",
                arguments: ["-c", "exec \"$@\" >>\"$0\" 2>&1", outputPath, executable] + arguments,
                environment: environment,
                descriptors: descriptors,
                hasLifeline: true
            )
        )
    }

    /// Stops only this process, and only if it still runs.
    deinit {
        guard process.reap() == nil else { return }
        process.signal(15)
        if process.wait(deadlineMs: 10_000) == nil {
            process.signalGroup(9)
            _ = process.wait(deadlineMs: 5000)
        }
    }

    var output: String { ScratchDirectory.text(outputPath) }

    func wait(withinMs: Int64 = 30_000) -> ExitStatus? { process.wait(deadlineMs: withinMs) }
}
