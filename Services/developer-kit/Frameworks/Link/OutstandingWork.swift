import Foundation
import STCTasks
import STFoundationTypes
import Synchronization

/// Counts unfinished work: a callback is over when none is left.
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

    /// No deadline here: the host has one, and ends the process then.
    package func waitUntilNone() {
        condition.withLock {
            while count > 0 { condition.wait() }
        }
    }
}

/// Counts the tasks that a callback starts, as outstanding work.
///
/// Tasks started before the first call, such as one in which an extension's object observes something, keep
/// no call open.
enum TaskCounter {
    private static let counting = Atomic(false)

    static var isCounting: Bool {
        get { counting.load(ordering: .acquiring) }
        set { counting.store(newValue, ordering: .releasing) }
    }

    /// Wraps every task that this program creates from now on.
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

    /// The same operation, counted until it is done.
    private static func wrapped<Result>(_ type: Result.Type, _ operation: TaskOperation) -> TaskOperation {
        let original = operation.taken(Result.self)
        OutstandingWork.shared.begin()
        return TaskOperation.given { () async throws -> Result in
            defer { OutstandingWork.shared.end() }
            return try await original()
        }
    }
}

/// A task's operation as the runtime passes it, always in its most general form.
private struct TaskOperation {
    typealias Body<Result> = @Sendable () async throws -> Result

    private var code: UnsafeMutableRawPointer?
    private var context: UnsafeMutableRawPointer?

    init(_ plain: st_operation) {
        code = plain.code
        context = plain.context
    }

    var plain: st_operation { st_operation(code: code, context: context) }

    /// Takes the operation as a closure, which owns the reference that came with it.
    func taken<Result>(_ type: Result.Type) -> Body<Result> {
        let body = unsafeBitCast(self, to: Body<Result>.self)
        // The cast has made a second one.
        if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
        return body
    }

    /// Makes an operation from a closure, with a reference for the runtime.
    static func given<Result>(_ body: @escaping Body<Result>) -> TaskOperation {
        let operation = unsafeBitCast(body, to: TaskOperation.self)
        if let context = operation.context { _ = Unmanaged<AnyObject>.fromOpaque(context).retain() }
        return operation
    }
}
