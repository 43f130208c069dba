import Glibc
import STPlatform
import STSupervision
import Synchronization

/// Stops the services in order on Ctrl-C, on SIGTERM, or at the end of the program that started this one.
///
/// A second request kills the services immediately.
final class StopRequest: Sendable {
    struct State: Sendable {
        var requestedAt: SuspendingClock.Instant?
        /// The services that had a process when the stop began.
        var running: [String] = []
        var problem: Problem?
    }

    /// SIGHUP: the terminal was closed.
    private static let signals = Interrupts.ending + [SIGHUP]

    private let supervisor: Supervisor
    private let log: MergedLog
    /// Task-local values are not available on the thread that receives the signals.
    private let language = Speech.language
    private let thread: LoopThread
    private let pipe: DescriptorPipe
    private let state = Mutex(State())

    init(_ supervisor: Supervisor, _ log: MergedLog, lifeline: Int32?) throws {
        self.supervisor = supervisor
        self.log = log
        let made = try DescriptorPipe()
        try made.makeReadEndNonblocking()
        pipe = made
        thread = try LoopThread(name: "stop-signals")
        let number = made.readEnd.number
        Interrupts.watch(Self.signals, writingTo: made.writeEnd.number, secondKills: false)
        thread.post { [self] in
            thread.currentWaiter.watch(descriptor: number) { [self] in
                var byte: UInt8 = 0
                while read(number, &byte, 1) == 1 { requestStop() }
            }
            guard let lifeline else { return }
            thread.currentWaiter.watch(descriptor: lifeline) { [self] in
                thread.currentWaiter.unwatch(descriptor: lifeline)
                requestStop()
            }
        }
    }

    /// The current state of the stop.
    var now: State { state.withLock { $0 } }

    /// Ends the handling of signals. Call this last, because later signals are ignored.
    func end() {
        Interrupts.unwatch(Self.signals, ignoring: true)
        thread.post { [self] in thread.currentWaiter.unwatch(descriptor: pipe.readEnd.number) }
        thread.stop()
    }

    private func requestStop() {
        let isFirst = state.withLock { state in
            defer { if state.requestedAt == nil { state.requestedAt = .now } }
            return state.requestedAt == nil
        }
        guard isFirst else { return killAll() }
        let running = supervisor.status().filter { $0.pid != nil }.map(\.name)
        state.withLock { $0.running = running }
        log.say(
            language.text(
                "system.stopping-press-again",
                "Stopping. To stop all services immediately, press Ctrl-C again."
            )
        )
        do {
            // A separate thread, because this one must receive the second signal.
            let stopping = try LoopThread(name: "stop")
            stopping.post { [self] in
                do throws(Problem) { try supervisor.stop() } catch { state.withLock { $0.problem = error } }
            }
            stopping.stop()
        } catch {
            killAll()
        }
    }

    private func killAll() {
        for status in supervisor.status() where status.pid != nil { try? supervisor.kill(status.name) }
    }
}
