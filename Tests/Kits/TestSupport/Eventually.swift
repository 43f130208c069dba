import Glibc
import STPlatform
import Synchronization

/// Says why a condition does not hold yet.
package struct NotYet: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Polls until the closure returns without throwing.
///
/// This is the one place where a test waits for what no process announces. The limit is long, because the machine may be
/// busy with other things; a test that passes does not wait for it.
package func eventually<T>(
    within limit: Duration = .seconds(60),
    _ what: String = "the condition",
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
) async throws -> T {
    var patience = Patience(milliseconds: limit.milliseconds)
    var polls = 0
    while true {
        polls += 1
        do {
            return try await body()
        } catch {
            if patience.isOver() { throw overdue(what, limit, polls, error) }
        }
        try await Task.sleep(for: .milliseconds(min(10 * polls, 100)))
    }
}

/// The same for code that is not asynchronous, such as a driver on a thread of its own.
package func eventuallyBlocking<T>(
    within limit: Duration = .seconds(60),
    _ what: String = "the condition",
    _ body: () throws -> T
) throws -> T {
    var patience = Patience(milliseconds: limit.milliseconds)
    var polls = 0
    while true {
        polls += 1
        do {
            return try body()
        } catch {
            if patience.isOver() { throw overdue(what, limit, polls, error) }
        }
        _ = poll(nil, 0, Int32(min(10 * polls, 100)))
    }
}

/// Whether the condition comes true in time, for a test that says itself what it means when it does not.
package func comesTrue(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) -> Bool {
    let isTrue: Void? = try? eventuallyBlocking(within: limit) {
        guard try condition() else { throw NotYet("it is false") }
    }
    return isTrue != nil
}

private func overdue(_ what: String, _ limit: Duration, _ polls: Int, _ error: any Error) -> Problem {
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

/// How late this machine wakes sleeping threads, which a test of moments must not blame on a program.
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
