import Glibc
import STPlatform

/// `system up --detach`: the same command again in a session of its own, and a wait until it is ready.
struct DetachedStart: Sendable {
    /// The process in the background gives up by itself before; this is for one that hangs.
    private static let deadlineMs = StartWatch.deadlineMs + 10_000
    private static let reportBytesMax = 256 * 1024

    let plan: UpPlan
    let terminal: Terminal

    func run() async throws -> ExitCode {
        let (process, reader) = try spawn()
        let text = try await OwnThread.run("start-report") { Self.read(reader) }
        guard let text else {
            process.signalGroup(SIGTERM)
            throw Problem(
                "system.not_ready",
                "The system in the background said nothing for \(TextFormat.duration(ms: Self.deadlineMs)), and is ended.",
                help: "less \(plan.places.outputPath)"
            )
        }
        if text.hasPrefix(StartReport.ready) {
            terminal.write(String(text.dropFirst(StartReport.ready.count).dropLast()))
            return .done
        }
        _ = try await OwnThread.run("start-end") { process.wait(deadlineMs: Self.deadlineMs) }
        terminal.note(terminal.styled("Not started.", .red) + " " + (text.isEmpty ? died(process) : text))
        terminal.note("Everything it said: \(plan.places.outputPath)")
        return .no
    }

    private func spawn() throws -> (SpawnedProcess, OwnedDescriptor) {
        for directory in [plan.places.directories.state, plan.places.directories.logs] {
            try Directories.prepare(directory)
        }
        let output = try OutputFile.open(plan.places.outputPath, renaming: false)
        let pipe = try DescriptorPipe()
        var environment = plan.environment
        environment["SCREENTIME_RUN"] = plan.places.directories.run
        environment["SCREENTIME_STATE"] = plan.places.directories.state
        environment[StartReport.variable] = "3"
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try SystemPlaces.executable(),
                arguments: plan.arguments,
                environment: environment,
                // Nothing can be unmounted while a process works in it.
                workingDirectory: "/",
                standardOutput: output.number,
                standardError: output.number,
                descriptors: [3: pipe.writeEnd.number],
                startsSession: true
            )
        )
        // The write end is the child's alone from here on, so that its death ends the reading.
        return (process, pipe.readEnd)
    }

    /// Nil when the time is over.
    private static func read(_ reader: OwnedDescriptor) -> String? {
        let deadline = Stopwatch.milliseconds() + deadlineMs
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < reportBytesMax {
            let left = deadline - Stopwatch.milliseconds()
            guard Readiness.wait(reader.number, withinMs: left) else { return nil }
            let count = Glibc.read(reader.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func died(_ process: SpawnedProcess) -> String {
        "The system in the background ended before it was ready: \(process.reap().map { "\($0)" } ?? "it still runs")."
    }
}
