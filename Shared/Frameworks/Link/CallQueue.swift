import Foundation
import STContracts

/// Calls on their way from the link to the thread that makes them.
final class CallQueue: @unchecked Sendable {
    // @unchecked: the list is read and written under the condition's lock.
    private let condition = NSCondition()
    private var calls: [ExtensionCall] = []

    func add(_ call: ExtensionCall) {
        condition.withLock {
            calls.append(call)
            condition.signal()
        }
    }

    /// Waits for the next one.
    func next() -> ExtensionCall {
        condition.withLock {
            while calls.isEmpty { condition.wait() }
            return calls.removeFirst()
        }
    }
}
