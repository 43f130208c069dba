import Glibc
import STPlatform
import Synchronization

/// Passes one value from another thread to a waiting thread, with a time limit.
package final class PendingReply<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    package func fulfill(_ value: Value) { self.value.withLock { $0 = value } }

    /// Waits for the value and checks every few milliseconds. The calling thread must not have other work.
    package func wait(within length: Duration) -> Value? {
        let deadline = Stopwatch.reading() + length
        while true {
            if let value = value.withLock({ $0 }) { return value }
            guard Stopwatch.reading() < deadline else { return nil }
            _ = poll(nil, 0, 5)
        }
    }
}
