import STContracts
import STPlatform
import STSimulation
import Synchronization

/// `screentime simulate`.
enum SimulateCommand {
    static let commands: [Command] = [
        Command(
            ["simulate"],
            "Plays a scenario in virtual time and holds what comes of it against what it expects",
            subjects: [.init("FILE", "the scenario, as JSON", isOptional: true)],
            options: [
                .init(
                    "--in-process",
                    nil,
                    "without processes of its own: built-in rules only, but a year in seconds"
                ),
                .init("--as-phone", nil, "as a phone does it where the default here is kinder"),
                .init("--example", nil, "prints a scenario to start from"),
                .init("--schema", nil, "prints the JSON Schema of a scenario, for editors"),
                .json,
            ],
            example: "screentime simulate day.json --as-phone"
        ) { try await run($0) }
    ]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        if invocation.has("--schema") {
            invocation.terminal.write(JSONOutput.pretty(ScenarioSchema.value))
            return .done
        }
        if invocation.has("--example") {
            invocation.terminal.write(String(ScenarioExample.text.dropLast()))
            return .done
        }
        guard let path = invocation.subjects.first else {
            throw Problem(
                "usage.missing_subject",
                "Which scenario? Name its file, or print one to start from.",
                help: "screentime simulate --example > day.json"
            )
        }
        let (scenario, text) = try ScenarioReader.read(path: path)
        let startMs = Stopwatch.milliseconds()
        let outcome: SimulationOutcome
        do {
            outcome = try await play(scenario, invocation)
        } catch let problem as Problem {
            throw ScenarioReader.located(problem, text)
        }
        show(outcome, text, tookMs: Stopwatch.milliseconds() - startMs, invocation)
        return outcome.isMet ? .done : .no
    }

    private static func play(_ scenario: Scenario, _ invocation: Invocation) async throws -> SimulationOutcome
    {
        let isInProcess = invocation.has("--in-process")
        let asPhone = invocation.has("--as-phone")
        let progress = SimulationProgress(invocation.terminal)
        let task = Task {
            isInProcess
                ? try await Simulation.inProcess(scenario, asPhone: asPhone, progress: progress.show)
                : try await Simulation.withProcesses(scenario, asPhone: asPhone, progress: progress.show)
        }
        let watch = try InterruptWatch { task.cancel() }
        defer {
            watch.end()
            progress.end()
        }
        do {
            return try await task.value
        } catch  where task.isCancelled {
            throw Problem("simulate.interrupted", "The simulation was interrupted; nothing of it is left.")
        }
    }

    private static func show(
        _ outcome: SimulationOutcome,
        _ text: [UInt8],
        tookMs: Int64,
        _ invocation: Invocation
    ) {
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(OutcomeJSON.value(outcome)))
            return
        }
        let written = OutcomeText(outcome) { JSONPlaces.line(of: $0, in: text) }
        for line in written.lines { terminal.write(styled(line, terminal)) }
        // Not among the rest: it is different each time.
        let length = TextFormat.duration(ms: outcome.endWallMs - outcome.startWallMs)
        terminal.note("\(length) played in \(TextFormat.duration(ms: tookMs)).")
    }

    private static func styled(_ line: OutcomeText.Line, _ terminal: Terminal) -> String {
        switch line.weight {
        case .plain: line.text
        case .heading: terminal.styled(line.text, .bold)
        case .aside: terminal.styled(line.text, .dim)
        case .good: terminal.styled(line.text, .green)
        case .bad: terminal.styled(line.text, .red)
        }
    }
}

/// How far a simulation has come, for a person who waits: a few times a second.
private final class SimulationProgress: Sendable {
    private static let everyMs: Int64 = 100

    private let terminal: Terminal
    private let lastMs = Atomic<Int64>(0)

    init(_ terminal: Terminal) { self.terminal = terminal }

    func show(_ doneMs: Int64, _ totalMs: Int64) {
        let now = Stopwatch.milliseconds()
        let last = lastMs.load(ordering: .relaxed)
        guard now - last >= Self.everyMs,
            lastMs.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        terminal.progress("\(doneMs * 100 / max(1, totalMs)) %, \(TextFormat.duration(ms: doneMs)) played")
    }

    func end() { terminal.progress("") }
}

/// Calls a closure at ctrl-C.
private final class InterruptWatch {
    private let pipe: DescriptorPipe
    private let thread: LoopThread

    init(_ interrupted: @escaping @Sendable () -> Void) throws {
        let pipe = try DescriptorPipe()
        self.pipe = pipe
        thread = try LoopThread(name: "interrupts")
        thread.post { [thread] in
            thread.currentWaiter.watch(descriptor: pipe.readEnd.number) {
                thread.currentWaiter.unwatch(descriptor: pipe.readEnd.number)
                interrupted()
            }
        }
        Interrupts.watch(writingTo: pipe.writeEnd.number)
    }

    func end() {
        Interrupts.unwatch()
        thread.stop()
        thread.join()
    }
}
