import Foundation

/// What was begun and is not done: a callback is over when nothing of it is left.
package final class OutstandingWork: @unchecked Sendable {
    // @unchecked: the number is read and written under the condition's lock.
    package static let shared = OutstandingWork()

    private let condition = NSCondition()
    private var count = 0

    package init() {}

    package var isNone: Bool { condition.withLock { count == 0 } }

    package func begin() { condition.withLock { count += 1 } }

    package func end() {
        condition.withLock {
            count -= 1
            if count == 0 { condition.broadcast() }
        }
    }

    /// Whoever set a deadline ends the process when it has passed, so there is none here.
    package func waitUntilNone() {
        condition.withLock {
            while count > 0 { condition.wait() }
        }
    }
}
