import STPlatform
import Synchronization

/// Measures the memory of processes on its own thread, while they have a call.
final class MemoryWatch: Sendable {
    private struct Entry {
        var gauge: MemoryGauge
        var limit: Int64
        var isReported = false
        var onExceeded: @Sendable (Int64) -> Void
    }

    private struct Watched {
        var entries: [UInt64: Entry] = [:]
        var lastID: UInt64 = 0
        var isTicking = false
    }

    private let thread: LoopThread
    private let interval: Duration
    private let watched = Mutex(Watched())

    init(every interval: Duration) throws {
        self.interval = interval
        thread = try LoopThread(name: "memory")
    }

    /// Starts measuring. Calls `over` at most once, on the watch's own thread. Returns nil if the process is gone.
    func begin(pid: Int32, limit: Int64, over: @escaping @Sendable (Int64) -> Void) -> UInt64? {
        guard let gauge = MemoryGauge(pid: pid) else { return nil }
        let (id, isFirst) = watched.withLock { watched in
            watched.lastID += 1
            watched.entries[watched.lastID] = Entry(gauge: gauge, limit: limit, onExceeded: over)
            defer { watched.isTicking = true }
            return (watched.lastID, !watched.isTicking)
        }
        if isFirst { thread.post { self.arm() } }
        return id
    }

    /// Measures a last time, exactly, and returns the highest value.
    func end(_ id: UInt64) -> Int64 {
        watched.withLock { watched in
            guard var entry = watched.entries.removeValue(forKey: id) else { return 0 }
            _ = entry.gauge.sample(isLast: true)
            return entry.gauge.peakBytes
        }
    }

    func stop() {
        thread.stop()
        thread.join()
    }

    private func arm() { thread.after(milliseconds: interval.ms) { [weak self] in self?.tick() } }

    private func tick() {
        // One process at a time under the lock, so that a call that begins or ends waits for one measurement at most.
        for id in watched.withLock({ Array($0.entries.keys) }) {
            let over = watched.withLock { watched -> (tell: @Sendable (Int64) -> Void, bytes: Int64)? in
                guard var entry = watched.entries[id] else { return nil }
                let bytes = entry.gauge.sample() ?? 0
                let isOver = bytes > entry.limit && !entry.isReported
                if isOver { entry.isReported = true }
                watched.entries[id] = entry
                return isOver ? (entry.onExceeded, bytes) : nil
            }
            if let over { over.tell(over.bytes) }
        }
        let goesOn = watched.withLock { watched in
            watched.isTicking = !watched.entries.isEmpty
            return watched.isTicking
        }
        if goesOn { arm() }
    }
}
