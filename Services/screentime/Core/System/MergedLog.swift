import Glibc
import STContracts
import STPlatform
import Synchronization

/// The lines of all services as one stream, written by a thread of its own: a terminal that was stopped with ctrl-S
/// must not stop the supervisor.
final class MergedLog: Sendable {
    /// More than a terminal shows in a second; beyond it lines are left out here and stay in the services' logs.
    private static let pendingMax = 10_000

    private let thread: LoopThread
    private let text: LogLineText
    private let terminal: Terminal
    /// When standard output is a file that we keep to a size.
    private let file: OutputFile?
    private let pending = Atomic<Int>(0)
    private let leftOut = Atomic<Int>(0)

    init(_ terminal: Terminal, services: [String], file: OutputFile?) throws {
        self.terminal = terminal
        self.file = file
        text = LogLineText(terminal, services: services + ["supervisor"])
        thread = try LoopThread(name: "merged-log")
    }

    /// A line that a service wrote.
    func add(_ service: String, _ line: String) {
        guard pending.load(ordering: .relaxed) < Self.pendingMax else {
            leftOut.add(1, ordering: .relaxed)
            return
        }
        pending.add(1, ordering: .relaxed)
        thread.post { [self] in
            pending.subtract(1, ordering: .relaxed)
            let missed = leftOut.exchange(0, ordering: .relaxed)
            if missed > 0 {
                put(text.prefix("supervisor") + "… \(missed) lines left out here; the logs have them")
            }
            put(text.render(service, line))
        }
    }

    /// A text of our own, in its turn.
    func say(_ text: String) {
        thread.post { [self] in put(text) }
    }

    /// Waits until everything is written, but not for ever: nobody may be reading.
    func finish(withinMs: Int64 = 2000) {
        guard let done = try? Bell() else { return }
        thread.post { done.ring() }
        _ = done.wait(withinMs: withinMs)
        thread.stop()
    }

    private func put(_ line: String) {
        file?.makeRoom(for: line.utf8.count + 1)
        terminal.write(line)
    }
}
