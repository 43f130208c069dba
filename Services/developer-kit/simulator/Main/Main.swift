import Glibc
import STContracts
import STPlatform
import STSimulation
import STSimulator
import Synchronization

/// `simulator` reads one request from standard input and writes JSON lines to standard output.
@main
enum Main {
    /// Not `async`, because signals must be blocked on the main thread before any other thread exists.
    static func main() {
        Signals.unblockAll()
        Signals.ignoreBrokenPipes()
        do {
            let signals = try SignalDescriptor([SIGTERM, SIGINT])
            let request = try SimulatorRequest.decodedBody(
                OwnedDescriptor.readAll(
                    STDIN_FILENO,
                    limitBytes: SimulatorLimits.requestBytes,
                    tooLarge: Problem("simulation.bad_request", "The request is larger than 32 MiB.")
                )
            )
            // Do not use the main actor, whose thread waits below.
            Task.detached { await run(request, signals) }
            while true { pause() }
        } catch {
            end(error)
        }
    }

    private static func run(_ request: SimulatorRequest, _ signals: SignalDescriptor) async -> Never {
        do {
            let task = Task { try await SimulatorProgram(output: Output.progress).run(request) }
            let watch = try TerminationWatch(signals) { task.cancel() }
            let result = await task.result
            watch.end()
            if task.isCancelled {
                throw Problem(
                    "simulate.interrupted",
                    "The simulation was interrupted. None of its data was kept."
                )
            }
            Output.write(try result.get())
            exit(0)
        } catch {
            end(error)
        }
    }

    private static func end(_ error: any Error) -> Never {
        var line = SimulatorLine()
        line.problem = Problem(error)
        Output.write(line)
        exit(1)
    }
}

/// Calls a closure on SIGTERM, on SIGINT, and when the parent process exits.
private final class TerminationWatch {
    private let thread: LoopThread

    init(_ signals: SignalDescriptor, _ stop: @escaping @Sendable () -> Void) throws {
        let lifeline = Lifeline.descriptor(environment: ProcessEnvironment.current())
        thread = try LoopThread(name: "stop")
        thread.post { [thread] in
            for descriptor in [signals.descriptor, lifeline].compactMap(\.self) {
                thread.currentWaiter.watch(descriptor: descriptor) {
                    // Stop watching after the first signal, because further signals would not speed up the cleanup.
                    thread.currentWaiter.unwatch(descriptor: descriptor)
                    stop()
                }
            }
        }
    }

    func end() {
        thread.stop()
        thread.join()
    }
}

/// Writes lines to standard output.
private enum Output {
    private static let interval = Duration.milliseconds(100)
    private static let lastMs = Atomic<Int64>(0)

    /// Writes the progress, at most ten times per second.
    static func progress(_ done: Duration, _ total: Duration) {
        let now = Stopwatch.milliseconds()
        let last = lastMs.load(ordering: .relaxed)
        guard now - last >= interval.ms,
            lastMs.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        var line = SimulatorLine()
        line.progress = .init(doneMs: done.ms, totalMs: total.ms)
        write(line)
    }

    /// Writes a line and ignores errors. The lifeline detects a reader that has exited.
    static func write(_ line: SimulatorLine) {
        let bytes = (try? line.encodedBody()) ?? Array("{}".utf8)
        _ = OwnedDescriptor.write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }
}
