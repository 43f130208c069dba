import Glibc
import STPlatform
import Synchronization

/// One answer from another thread, waited for a limited time.
package final class LateAnswer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    package func put(_ value: Value) { self.value.withLock { $0 = value } }

    /// Looks every few milliseconds, for a thread that does nothing else.
    package func wait(withinMs: Int64) -> Value? {
        let deadline = Stopwatch.milliseconds() + withinMs
        while true {
            if let value = value.withLock({ $0 }) { return value }
            guard Stopwatch.milliseconds() < deadline else { return nil }
            _ = poll(nil, 0, 5)
        }
    }
}
