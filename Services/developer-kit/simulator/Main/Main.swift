import Glibc
import STContracts
import STPlatform
import STSimulation
import STSimulator
import Synchronization

/// `simulator`: one request on standard input, JSON lines on standard output.
@main
enum Main {
    /// Not async: signals must be blocked on the main thread itself, before any other thread exists.
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
            // Not on the main actor, whose thread waits here.
            Task.detached { await run(request, signals) }
            while true { pause() }
        } catch {
            end(error)
        }
    }

    private static func run(_ request: SimulatorRequest, _ signals: SignalDescriptor) async -> Never {
        do {
            let task = Task { try await SimulatorProgram(output: Output.progress).run(request) }
            let watch = try StopWatch(signals) { task.cancel() }
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

/// Calls a closure at SIGTERM, at SIGINT, and when the process that started this one is gone.
private final class StopWatch {
    private let thread: LoopThread

    init(_ signals: SignalDescriptor, _ stop: @escaping @Sendable () -> Void) throws {
        let lifeline = Lifeline.descriptor(environment: ProcessEnvironment.current())
        thread = try LoopThread(name: "stop")
        thread.post { [thread] in
            for descriptor in [signals.descriptor, lifeline].compactMap(\.self) {
                thread.currentWaiter.watch(descriptor: descriptor) {
                    // Once is enough: it tidies up, and nothing makes that faster.
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

/// Lines on standard output.
private enum Output {
    private static let everyMs: Int64 = 100
    private static let lastMs = Atomic<Int64>(0)

    /// A few times a second.
    static func progress(_ doneMs: Int64, _ totalMs: Int64) {
        let now = Stopwatch.milliseconds()
        let last = lastMs.load(ordering: .relaxed)
        guard now - last >= everyMs,
            lastMs.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        var line = SimulatorLine()
        line.progress = .init(doneMs: doneMs, totalMs: totalMs)
        write(line)
    }

    /// A reader that went away is noticed by the lifeline, not here.
    static func write(_ line: SimulatorLine) {
        let bytes = (try? line.encodedBody()) ?? Array("{}".utf8)
        _ = OwnedDescriptor.write(bytes + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }
}
