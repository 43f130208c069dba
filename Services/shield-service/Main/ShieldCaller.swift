import STContracts
import STExtensions
import STPlatform
import STServiceKit
import STShieldCore
import STZeroMQ
import Synchronization

/// Calls shield extensions with tokens of their own app, with a time limit, and with a step in the trace.
struct ShieldCaller: Sendable {
    /// One call and its recipient.
    struct Call: Sendable {
        var spec: ExtensionSpec
        /// The identifier, the same in every attempt.
        var id: String
        var attempt: Int64 = 1
        var method: ShieldMethod
        var body: JSONValue
        var cause: String
        var trace: TraceContext
        var timeout: Duration
    }

    let services: ServiceRequester<ShieldState>
    private let caller: ExtensionCaller<ShieldState>

    init(_ asking: ServiceRequester<ShieldState>, _ extensions: ExtensionHost) {
        self.services = asking
        caller = ExtensionCaller(asking, extensions)
    }

    var surroundings: ServiceEnvironment { services.surroundings }
    var thread: LoopThread { surroundings.loop.thread }

    func spec(
        _ app: String,
        member: String,
        point: ExtensionPoint,
        executable: String,
        bundle: String?,
        language: String?
    ) -> ExtensionSpec {
        caller.spec(
            app,
            member: member,
            point: point,
            executable: executable,
            bundle: bundle,
            language: language
        )
    }

    func call(_ call: Call) async -> ExtensionOutcome {
        await caller.call(
            call.spec,
            ExtensionJob(
                call: ExtensionCall(
                    id: call.id,
                    attempt: call.attempt,
                    method: call.method.rawValue,
                    body: call.body,
                    wallMs: surroundings.time.now().wallMs,
                    deadlineMs: call.timeout.ms
                ),
                cause: call.cause,
                trace: call.trace
            )
        )
    }

    /// Returns the tokens of the target's items, in their order.
    func tokens(
        _ target: ShieldTarget,
        app: String,
        member: String,
        _ trace: TraceContext,
        timeout: Duration
    ) async throws -> [String] {
        let request = TokenIssue.Request(app: app, member: member, items: target.items)
        let options = CallOptions(timeoutMs: max(1, timeout.ms), trace: trace.next())
        let tokens = try await services.client.call(TokenIssue.self, request, options: options).tokens
        guard tokens.count == target.items.count else {
            throw Problem(
                "internal",
                """
                auth-service returned the wrong number of tokens: \(tokens.count, "count") instead of \
                \(target.items.count, "count2").
                """,
                key: "internal.auth-service-gave"
            )
        }
        return tokens
    }

    static func timedOut(_ app: String, after timeout: Duration) -> Problem {
        Problem(
            "shield.too_late",
            "\(app, "app") did not answer within \(timeout.ms, "ms") ms, so the system answered in its place.",
            retryable: true,
            details: ["limit_ms": String(timeout.ms)]
        )
    }
}

/// Limits the wait for work whose result a person expects on the screen.
enum Deadline {
    /// Returns the result, or `nil` if the work takes longer. The work itself continues.
    static func within<Value: Sendable>(
        _ timeout: Duration,
        on thread: LoopThread,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            Task(executorPreference: thread, priority: .medium) { race.end(await work()) }
            thread.post { thread.after(milliseconds: max(0, timeout.ms)) { race.end(nil) } }
        }
    }

    /// Resumes the continuation with the first of two results.
    private final class Race<Value: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

        init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

        func end(_ value: Value?) {
            let first = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            first?.resume(returning: value)
        }
    }
}
