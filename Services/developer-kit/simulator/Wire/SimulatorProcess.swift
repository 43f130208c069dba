import Glibc
package import STContracts
import STPlatform

/// The program `simulator`, started for one request.
///
/// Only this program is linked with the services' rules. It exits and cleans up when this process exits or terminates it.
package struct SimulatorProcess: Sendable {
    private static let program = "simulator"
    /// The environment variable that names the folder of the programs.
    private static let variable = "SCREENTIME_PROGRAMS"
    private static let endTimeout = Duration.seconds(10)

    private let path: String
    /// The folder that the environment names.
    private let programs: String?

    /// Returns the program. It is searched in the folder of the environment variable, then beside this program, and then beside
    /// the installed `screentime`.
    package static func locate() throws -> SimulatorProcess {
        let named = getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        let own = ProcFile.ownFolder()
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let installed = path.split(separator: ":").compactMap { folder(of: "\($0)/screentime") }
        let folders = [named, own].compactMap { $0 } + installed
        guard let found = folders.first(where: { access("\($0)/\(program)", X_OK) == 0 }) else {
            throw Problem(
                "simulation.no_programs",
                text: own.map {
                    Message(
                        "simulation.no_programs.is-missing-beside",
                        """
                        The program \(program, "program") is missing: it is not in \($0, "folder"), nor \
                        beside a screentime in PATH. Install the Debian package screentime-developer, or run \
                        `scripts/run-all.sh` in the source tree. If the program is in another folder, name \
                        that folder with \(variable, "variable").
                        """
                    )
                }
                    ?? Message(
                        "simulation.no_programs.is-missing",
                        """
                        The program \(program, "program") is missing: it is not beside this program, nor \
                        beside a screentime in PATH. Install the Debian package screentime-developer, or run \
                        `scripts/run-all.sh` in the source tree. If the program is in another folder, name \
                        that folder with \(variable, "variable").
                        """
                    )
            )
        }
        return SimulatorProcess(path: "\(found)/\(program)", programs: named)
    }

    /// Returns the folder of a file with all links resolved.
    private static func folder(of path: String) -> String? {
        guard let real = DirectoryTree.real(path) else { return nil }
        return real.lastIndex(of: "/").map { String(real[..<$0]) }
    }

    // MARK: - Requests

    /// Returns the JSON Schema of a scenario.
    package func schema() throws -> JSONValue { try send(.init(.schema)).schema ?? .null }

    /// Returns an example scenario.
    package func example() throws -> String { try send(.init(.example)).example ?? "" }

    /// Returns the name of a scenario. Throws if the scenario is not valid.
    package func check(_ request: SimulatorRequest) throws -> String {
        var request = request
        request.task = .check
        return try send(request).name ?? ""
    }

    private func send(_ request: SimulatorRequest) throws -> SimulatorLine {
        try start(request).answer { _ in }
    }

    /// Simulates a scenario to its end. If the task is cancelled, the simulation stops and deletes its files.
    package func play(
        _ request: SimulatorRequest,
        progress: @escaping @Sendable (SimulatorLine.Progress) -> Void = { _ in }
    ) async throws -> SimulatorOutcome {
        let run = try start(request)
        // Use a separate thread, because the call blocks and the task pool has few threads.
        let thread = try LoopThread(name: "simulator")
        defer { thread.stop() }
        let line = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                thread.post { continuation.resume(with: Result { try run.answer(progress) }) }
            }
        } onCancel: {
            run.process.signal(SIGTERM)
        }
        guard let outcome = line.outcome else { throw Self.noReply("ended without an outcome") }
        return outcome
    }

    // MARK: - One run

    private struct Run: Sendable {
        let process: SpawnedProcess
        let output: OwnedDescriptor

        /// Returns the last line after the program has exited.
        func answer(_ progress: (SimulatorLine.Progress) -> Void) throws -> SimulatorLine {
            var splitter = LineSplitter(lineBytesMax: .max)
            var last: SimulatorLine?
            func take(_ text: String) {
                let line = try? SimulatorLine.decodedBody(Array(text.utf8))
                if let told = line?.progress { progress(told) } else { last = line }
            }
            var part = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = read(output.number, &part, part.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                splitter.add(part[..<count], take)
            }
            splitter.finish(take)
            let status = process.wait(deadlineMs: SimulatorProcess.endTimeout.ms)
            if let problem = last?.problem { throw problem }
            guard let last else { throw SimulatorProcess.noReply(status.map { "\($0)" } ?? "does not end") }
            return last
        }
    }

    private func start(_ request: SimulatorRequest) throws -> Run {
        var request = request
        request.programs = request.programs ?? programs
        let input = try OwnedDescriptor.unnamedFile(holding: request.encodedBody())
        let pipe = try DescriptorPipe()
        return try withExtendedLifetime((input, pipe)) {
            let plan = SpawnPlan(
                executable: path,
                environment: ProcessEnvironment.current(),
                standardOutput: pipe.writeEnd.number,
                descriptors: [0: input.number],
                hasLifeline: true
            )
            return Run(process: try SpawnedProcess(plan), output: pipe.readEnd)
        }
    }

    private static func noReply(_ how: String) -> Problem {
        Problem(
            "simulation.failed",
            "The program \(program, "program") returned no result: \(how, "how"). Please report this."
        )
    }
}
