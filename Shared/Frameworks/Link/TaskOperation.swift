import STCTasks

/// What a task is to do, as the runtime passes it: always the most general form, whatever the task was written as.
struct TaskOperation {
    typealias Body<Result> = @Sendable () async throws -> Result

    private var code: UnsafeMutableRawPointer?
    private var context: UnsafeMutableRawPointer?

    init(_ plain: st_operation) {
        code = plain.code
        context = plain.context
    }

    var plain: st_operation { st_operation(code: code, context: context) }

    /// As a closure; the reference that came with it is the closure's from now on.
    func taken<Result>(_ type: Result.Type) -> Body<Result> {
        let body = unsafeBitCast(self, to: Body<Result>.self)
        // The cast has made a second one.
        if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
        return body
    }

    /// From a closure, with a reference for whoever takes it.
    static func given<Result>(_ body: @escaping Body<Result>) -> TaskOperation {
        let operation = unsafeBitCast(body, to: TaskOperation.self)
        if let context = operation.context { _ = Unmanaged<AnyObject>.fromOpaque(context).retain() }
        return operation
    }
}
