import Foundation
import STCTasks
import STFoundationTypes
import Synchronization

/// Counts unfinished work. A callback ends when none is left.
package final class OutstandingWork: @unchecked Sendable {
    // @unchecked: the lock of the condition guards the number.
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

    /// Waits until no work is left. There is no time limit here. The host has one, and terminates the process when it expires.
    package func waitUntilNone() {
        condition.withLock {
            while count > 0 { condition.wait() }
        }
    }
}

/// Counts the tasks started in a callback as outstanding work.
///
/// Tasks started before the first call do not keep a call open. An example is a task in which an extension's object observes
/// something.
enum TaskCounter {
    private static let counting = Atomic(false)

    static var isCounting: Bool {
        get { counting.load(ordering: .acquiring) }
        set { counting.store(newValue, ordering: .releasing) }
    }

    /// Wraps every task that this program creates after this call.
    static func install() {
        st_tasks_wrap { type, operation in
            guard TaskCounter.isCounting else { return operation }
            return TaskCounter.wrapped(unsafeBitCast(type, to: Any.Type.self), TaskOperation(operation)).plain
        }
        if st_tasks_are_seen() == 0 {
            FrameworkLog.host.notice(
                "tasks begun in a callback are not waited for: link the Swift runtime dynamically"
            )
        }
    }

    /// Returns an operation that counts as outstanding work until it is done.
    private static func wrapped<Result>(_ type: Result.Type, _ operation: TaskOperation) -> TaskOperation {
        let original = operation.taken(Result.self)
        OutstandingWork.shared.begin()
        return TaskOperation.given { () async throws -> Result in
            defer { OutstandingWork.shared.end() }
            return try await original()
        }
    }
}

/// The operation of a task as the runtime passes it, always in its most general form.
private struct TaskOperation {
    typealias Body<Result> = @Sendable () async throws -> Result

    private var code: UnsafeMutableRawPointer?
    private var context: UnsafeMutableRawPointer?

    init(_ plain: st_operation) {
        code = plain.code
        context = plain.context
    }

    var plain: st_operation { st_operation(code: code, context: context) }

    /// Returns the operation as a closure, which owns the reference of the operation.
    func taken<Result>(_ type: Result.Type) -> Body<Result> {
        let body = unsafeBitCast(self, to: Body<Result>.self)
        // The cast has created a second reference.
        if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
        return body
    }

    /// Creates an operation from a closure, with a reference for the runtime.
    static func given<Result>(_ body: @escaping Body<Result>) -> TaskOperation {
        let operation = unsafeBitCast(body, to: TaskOperation.self)
        if let context = operation.context { _ = Unmanaged<AnyObject>.fromOpaque(context).retain() }
        return operation
    }
}
