import Glibc
import STContracts
import STPlatform
import STSimulator
import STTestSupport
import Synchronization
import Testing

@Suite("The program simulator", .serialized)
struct SimulatorProgramTests {
    private static let limit = """
        {"name": "a limit", "zone": "UTC", "start": "2026-05-04 10:00",
         "rules": [{"limit": ["chess"], "of": "10m", "name": "chess"}], "steps": [{"use": "chess", "for": "20m"}],
         "expect": [{"callback": "eventDidReachThreshold", "activity": "chess", "at": "2026-05-04 10:10"}]}
        """
    /// Takes long enough for an interruption.
    private static let month = """
        {"name": "a month", "zone": "UTC", "start": "2026-05-04 10:00",
         "rules": [{"limit": ["chess"], "of": "10m", "name": "chess"}],
         "steps": [{"days": 30, "steps": [{"at": "12:00", "use": "chess", "for": "20m"}]}]}
        """

    private func lines(_ text: String) throws -> [SimulatorLine] {
        try text.split(separator: "\n").map { try SimulatorLine.decodedBody(Array($0.utf8)) }
    }

    /// Starts the program like any other program, with its output in a file.
    private func start(_ request: String, _ scratch: ScratchDirectory) throws -> SpawnedProcess {
        try scratch.write(request, to: "request")
        try scratch.write("", to: "answer")
        let input = OwnedDescriptor(open(scratch.file("request"), O_RDONLY | O_CLOEXEC))
        let output = OwnedDescriptor(open(scratch.file("answer"), O_WRONLY | O_CLOEXEC))
        return try withExtendedLifetime((input, output)) {
            try SpawnedProcess(
                SpawnPlan(
                    executable: try BuiltTree.program("simulator"),
                    environment: ProcessEnvironment.current(),
                    standardOutput: output.number,
                    descriptors: [0: input.number],
                    hasLifeline: true
                )
            )
        }
    }

    private func text(_ request: SimulatorRequest) throws -> String {
        String(decoding: try request.encodedBody(), as: UTF8.self)
    }

    @Test("The simulator program replies to a request with lines of JSON that end with the outcome")
    func plays() throws {
        let scratch = try ScratchDirectory()
        var request = SimulatorRequest(.play, scenario: Self.limit, folder: "/")
        request.inProcess = true
        let process = try start(try text(request), scratch)

        #expect(process.wait(deadlineMs: 60_000) == .exited(0))
        let lines = try lines(ScratchDirectory.text(scratch.file("answer")))
        let outcome = try #require(lines.last?.outcome)
        #expect(lines.dropLast().allSatisfy { $0.progress != nil })
        #expect(outcome.report.isMet && outcome.unmet.isEmpty && outcome.playedMs == 1_200_000)
        #expect(outcome.lines.last == .init("Expected and met: 1 of 1", .good))
    }

    @Test(
        "The simulator program replies with a problem to an invalid request or scenario",
        arguments: [
            ("{}", "body."), ("[", "body."), (#"{"task": "dance"}"#, "simulation.bad_request"),
            (#"{"task": "check", "scenario": "{}"}"#, "scenario.missing_field"),
            (
                #"{"task": "play", "programs": "/nowhere", "scenario": "{\"name\": \"n\", \"zone\": \"UTC\", \"start\": \"2026-05-04 10:00\"}"}"#,
                "simulation.no_programs"
            ),
        ]
    )
    func refuses(_ request: String, _ code: String) throws {
        let scratch = try ScratchDirectory()
        let process = try start(request, scratch)

        #expect(process.wait(deadlineMs: 60_000) == .exited(1))
        let lines = try lines(ScratchDirectory.text(scratch.file("answer")))
        #expect(lines.count == 1)
        #expect(lines[0].problem?.code.hasPrefix(code) == true, "\(lines)")
    }

    @Test("The simulator program ends and removes its folders if the task is cancelled")
    func cancelled() async throws {
        let before = Leftovers.now()
        let request = SimulatorRequest(.play, scenario: Self.month, folder: "/")
        let simulator = try SimulatorProcess.locate()
        // Cancels on the thread of the progress callback. On a busy machine, this thread might run only after the end.
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        let played = Task { try await simulator.play(request) { _ in stop.withLock { $0?() } } }
        stop.withLock { $0 = { played.cancel() } }
        let problem = await refused { _ = try await played.value }

        #expect(problem?.code == "simulate.interrupted")
        try await Leftovers.vanish(since: before)
    }

    @Test("The simulator program ends and removes its folders if its parent process ends")
    func abandoned() async throws {
        let before = Leftovers.now()
        let scratch = try ScratchDirectory()
        let request = SimulatorRequest(.play, scenario: Self.month, folder: "/")
        var process: SpawnedProcess? = try start(try text(request), scratch)
        let pid = try #require(process?.pid)
        try await eventually(within: .seconds(120), "the simulation has begun") {
            if ScratchDirectory.text(scratch.file("answer")).isEmpty { throw NotYet("it does not") }
        }
        // Closes the lifeline, like the death of this process.
        process = nil

        try await eventually(within: .seconds(120), "the simulator has reported why it ends") {
            let last = try lines(ScratchDirectory.text(scratch.file("answer"))).last
            if last?.problem?.code != "simulate.interrupted" { throw NotYet("\(last as Any)") }
        }
        #expect(process == nil && pid > 0)
        try await Leftovers.vanish(since: before)
    }
}

/// Folders of simulations.
enum Leftovers {
    static func now() -> [String] {
        ScenarioFiles.entries(of: "/dev/shm") + ScenarioFiles.entries(of: "/tmp")
    }

    /// Waits until the new folders have vanished. Parallel tests also create folders, but remove them in the end.
    static func vanish(since before: [String], isolation: isolated (any Actor)? = #isolation) async throws {
        var left = Set(now()).subtracting(before)
        try await eventually(within: .seconds(600), "no folder is left") {
            left.formIntersection(now())
            if !left.isEmpty { throw NotYet("\(left)") }
        }
        #expect(left == [])
    }
}
