import STPlatform

/// Work that blocks, kept off the threads that Swift's concurrency has few of.
enum OwnThread {
    static func run<Result: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let thread = try LoopThread(name: name)
        defer { thread.stop() }
        return try await withCheckedThrowingContinuation { continuation in
            thread.post { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
