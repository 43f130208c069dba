import STPlatform
import Synchronization

/// How late this machine wakes whoever asked to be woken: what a test of moments must not blame a program for.
package final class MachineLag: Sendable {
    private static let everyMs: Int64 = 4

    private struct Seen {
        var worstMs: Int64 = 0
        var dueMs: Int64 = 0
    }

    private let loop: LoopThread
    private let seen = Mutex(Seen())

    package init() throws {
        loop = try LoopThread(name: "lag")
        loop.post { [self] in wait() }
    }

    /// To be called: its thread keeps it alive.
    package func stop() { loop.stop() }

    /// The worst since the last time that this was asked.
    package func take() -> Int64 {
        seen.withLock { seen in
            // One that is still to come has been late for as long.
            let worst = max(seen.worstMs, Stopwatch.milliseconds() - seen.dueMs, 0)
            seen.worstMs = 0
            return worst
        }
    }

    private func wait() {
        seen.withLock { $0.dueMs = Stopwatch.milliseconds() + Self.everyMs }
        _ = loop.after(milliseconds: Self.everyMs) { [self] in
            seen.withLock { $0.worstMs = max($0.worstMs, Stopwatch.milliseconds() - $0.dueMs) }
            wait()
        }
    }
}
