import STCTasks
import STFoundationTypes
import Synchronization

/// Counts the tasks that a callback begins, as outstanding work.
///
/// Tasks that were made before the first call, such as one that an extension's object follows something with, are its own
/// business and keep no call open.
enum TaskCounter {
    private static let counting = Atomic(false)

    static var isCounting: Bool {
        get { counting.load(ordering: .acquiring) }
        set { counting.store(newValue, ordering: .releasing) }
    }

    /// Stands in for every task that this program's code makes from now on.
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

    /// The same operation, which counts until it is done.
    private static func wrapped<Result>(_ type: Result.Type, _ operation: TaskOperation) -> TaskOperation {
        let original = operation.taken(Result.self)
        OutstandingWork.shared.begin()
        return TaskOperation.given { () async throws -> Result in
            defer { OutstandingWork.shared.end() }
            return try await original()
        }
    }
}
