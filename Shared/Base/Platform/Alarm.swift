/// One ring at a later moment, the earliest that was asked for.
///
/// Each asked for by itself would be a timer of its own, and with one more for every failure they would soon ring all
/// the time. Lives on the loop's thread.
package final class Alarm: @unchecked Sendable {
    // @unchecked: everything is touched on the loop's thread only.
    private let thread: LoopThread
    private let ring: @Sendable () -> Void
    private var timer: UInt64?
    private var dueMs: Int64 = .max

    package init(_ thread: LoopThread, _ ring: @escaping @Sendable () -> Void) {
        self.thread = thread
        self.ring = ring
    }

    /// From any thread.
    package func ring(afterMs ms: Int64) { thread.post { self.arm(ms) } }

    private func arm(_ ms: Int64) {
        let due = Stopwatch.milliseconds() + max(0, ms)
        guard due < dueMs else { return }
        if let timer { thread.cancelTimer(timer) }
        dueMs = due
        timer = thread.after(milliseconds: ms) { [self] in
            timer = nil
            dueMs = .max
            ring()
        }
    }
}
