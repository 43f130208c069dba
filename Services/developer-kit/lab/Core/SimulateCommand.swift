import STCommandCore
import STContracts
import STPlatform
import STSimulator

/// `screentime simulate`. It runs the program `simulator` and shows the outcome.
enum SimulateCommand {
    static func faults(_ invocation: Invocation) throws(Problem) -> [PhoneFault]? {
        guard let list = invocation.value("--fault") else { return nil }
        var faults: [PhoneFault] = []
        for name in list.split(separator: ",").map(String.init) {
            guard let fault = PhoneFault(rawValue: name), fault != .unknown else {
                let list = PhoneFault.known.joined(separator: ", ")
                throw Problem(
                    "usage.bad_fault",
                    "“\(name, "name")” is not a valid value of --fault. Valid values: \(list, "faults")."
                )
            }
            if !faults.contains(fault) { faults.append(fault) }
        }
        return faults
    }

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let terminal = invocation.terminal
        if invocation.has("--schema") {
            terminal.write(JSONOutput.pretty(try simulator(terminal).schema()))
            return .done
        }
        if invocation.has("--example") {
            terminal.write(String(try simulator(terminal).example().dropLast()))
            return .done
        }
        guard let path = invocation.subjects.first else {
            throw Problem(
                "usage.missing_subject",
                "Name the file of a scenario, or print an example to start from.",
                help: "screentime simulate --example > day.json"
            )
        }
        var request = try SimulatorRequest(.play, file: path)
        request.inProcess = invocation.has("--in-process")
        request.asPhone = invocation.has("--as-phone")
        request.faults = try faults(invocation)
        let outcome = try await play(request, terminal)
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: outcome.report)))
        } else {
            for line in outcome.lines { terminal.write(styled(line, terminal)) }
            // This line is not part of the outcome, because it is different each time.
            let length = TextFormat.duration(ms: outcome.playedMs)
            terminal.note("\(length) played in \(TextFormat.duration(ms: outcome.tookMs)).")
        }
        return outcome.report.isMet ? .done : .no
    }

    private static func simulator(_ terminal: Terminal) throws -> SimulatorProcess {
        try SourceTree.buildDeveloperPrograms(terminal)
        return try SimulatorProcess.locate()
    }

    static func play(_ request: SimulatorRequest, _ terminal: Terminal) async throws
        -> SimulatorOutcome
    {
        let simulator = try simulator(terminal)
        let task = Task {
            try await simulator.play(request) { progress in
                let percent = progress.doneMs * 100 / max(1, progress.totalMs)
                terminal.progress("\(percent) %, \(TextFormat.duration(ms: progress.doneMs)) played")
            }
        }
        // The server of the web page runs many commands, and stops at Ctrl-C without this watch.
        let watch = terminal.sink == nil ? try InterruptWatch { task.cancel() } : nil
        defer {
            watch?.end()
            terminal.progress("")
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    static func styled(_ line: SimulatorOutcome.Line, _ terminal: Terminal) -> String {
        switch line.weight {
        case .plain, .unknown: line.text
        case .heading: terminal.styled(line.text, .bold)
        case .aside: terminal.styled(line.text, .dim)
        case .good: terminal.styled(line.text, .green)
        case .bad: terminal.styled(line.text, .red)
        }
    }
}

/// Calls a closure when the person presses Ctrl-C.
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
