import Glibc
import STPlatform
import Synchronization

/// The reason why a condition is not fulfilled yet.
package struct NotYet: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Polls until the closure returns without throwing.
///
/// Tests wait here for changes that no process announces. The limit is long, because the machine may be busy. A test that passes
/// does not wait for it.
package func eventually<T>(
    within limit: Duration = .seconds(60),
    _ what: String = "the condition",
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
) async throws -> T {
    var patience = WaitLimit(milliseconds: limit.milliseconds)
    var polls = 0
    while true {
        polls += 1
        do {
            return try await body()
        } catch {
            if patience.isOver() { throw overdue(what, limit: limit, polls: polls, error: error) }
        }
        try await Task.sleep(for: .milliseconds(min(10 * polls, 100)))
    }
}

/// Does the same for code that is not asynchronous, such as a driver on its own thread.
package func eventuallyBlocking<T>(
    within limit: Duration = .seconds(60),
    _ what: String = "the condition",
    _ body: () throws -> T
) throws -> T {
    var patience = WaitLimit(milliseconds: limit.milliseconds)
    var polls = 0
    while true {
        polls += 1
        do {
            return try body()
        } catch {
            if patience.isOver() { throw overdue(what, limit: limit, polls: polls, error: error) }
        }
        _ = poll(nil, 0, Int32(min(10 * polls, 100)))
    }
}

/// Returns true if the condition becomes true in time, for a test that reports the failure itself.
package func comesTrue(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) -> Bool {
    let isTrue: Void? = try? eventuallyBlocking(within: limit) {
        guard try condition() else { throw NotYet("it is false") }
    }
    return isTrue != nil
}

private func overdue(_ what: String, limit: Duration, polls: Int, error: any Error) -> Problem {
    Problem(
        "test.overdue",
        verbatim: "\(what) did not come true within \(limit) and \(polls) polls; the last error: \(error)"
    )
}

extension Duration {
    package var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// The delay with which this machine wakes sleeping threads, which a test of timing must not attribute to a program.
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

    /// Stops the thread. Must be called, because the thread keeps this object alive.
    package func stop() { loop.stop() }

    /// Returns the longest delay since the last call.
    package func take() -> Int64 {
        seen.withLock { seen in
            // A wake-up that is still to come is already late by this much.
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
