/// Timers ordered by their time. Timers with the same time fire in the order in which they were added.
struct TimerHeap {
    private struct Entry {
        var atMs: Int64
        var id: UInt64

        func isBefore(_ other: Entry) -> Bool { (atMs, id) < (other.atMs, other.id) }
    }

    private var entries: [Entry] = []
    /// A cancelled timer has no action here. Its entry remains, and is skipped when its time comes.
    private var actions: [UInt64: () -> Void] = [:]
    private var lastID: UInt64 = 0

    var nextMs: Int64? { entries.first?.atMs }

    mutating func add(atMs: Int64, _ action: @escaping () -> Void) -> UInt64 {
        lastID += 1
        actions[lastID] = action
        entries.append(Entry(atMs: atMs, id: lastID))
        siftUp(entries.count - 1)
        return lastID
    }

    mutating func cancel(_ id: UInt64) {
        actions[id] = nil
        while let first = entries.first, actions[first.id] == nil { removeFirst() }
    }

    /// Removes and returns the next due action. `nil` if none is due.
    ///
    /// Cancelled timers before it are removed too, so that the loop does not wake up for them.
    mutating func popDue(nowMs: Int64) -> (() -> Void)? {
        while let first = entries.first {
            guard actions[first.id] == nil || first.atMs <= nowMs else { return nil }
            removeFirst()
            if let action = actions.removeValue(forKey: first.id) { return action }
        }
        return nil
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].isBefore(entries[left]) ? right : left
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }
}

/// Rings once, at the earliest of the requested times.
///
/// With one timer for each request, and a further request for every failure, timers would soon ring continuously. Belongs to the
/// loop's thread.
package final class LoopTimer: @unchecked Sendable {
    // @unchecked: all properties are accessed only on the loop's thread.
    private let thread: LoopThread
    private let onFire: @Sendable () -> Void
    private var timer: UInt64?
    private var dueMs: Int64 = .max

    package init(_ thread: LoopThread, _ ring: @escaping @Sendable () -> Void) {
        self.thread = thread
        self.onFire = ring
    }

    /// Requests a ring after this many milliseconds of real time. May be called from any thread.
    package func fire(afterMs ms: Int64) { thread.post { self.arm(ms) } }

    private func arm(_ ms: Int64) {
        let due = Stopwatch.milliseconds() + max(0, ms)
        guard due < dueMs else { return }
        if let timer { thread.cancelTimer(timer) }
        dueMs = due
        timer = thread.after(milliseconds: ms) { [self] in
            timer = nil
            dueMs = .max
            onFire()
        }
    }
}
