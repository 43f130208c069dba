import STContracts
import STExtensionHost
import STExtensionService
import STPlatform
import STServiceKit
import STShieldCore
import STTelemetry
import STZeroMQ

/// Calls shield extensions: with tokens of their own app, within a time, and with a step in the trace.
struct ShieldCaller: Sendable {
    /// One call, and whom it goes to.
    struct Call: Sendable {
        var spec: ExtensionSpec
        /// The same in every attempt.
        var id: String
        var attempt: Int64 = 1
        var method: ShieldMethod
        var body: JSONValue
        var cause: String
        var trace: TraceContext
        var deadlineMs: Int64
    }

    let asking: ServiceAsking<ShieldState>
    let extensions: ExtensionHost
    let output: OutputWriter<ShieldState>

    init(
        _ asking: ServiceAsking<ShieldState>,
        _ extensions: ExtensionHost,
        _ output: OutputWriter<ShieldState>
    ) {
        self.asking = asking
        self.extensions = extensions
        self.output = output
    }

    var surroundings: Surroundings { asking.surroundings }
    var thread: LoopThread { surroundings.loop.thread }

    /// Another language needs another process: a program reads it from its environment, once.
    func spec(
        _ app: String,
        _ member: String,
        _ point: ExtensionPoint,
        _ executable: String,
        bundle: String?,
        language: String?
    ) -> ExtensionSpec {
        var environment: [String: String] = [:]
        environment[ExtensionEnvironment.bundle] = bundle
        if let language, !language.isEmpty {
            for name in ["LANG", "LC_ALL"] { environment[name] = "\(language).UTF-8" }
        }
        // The zone of a virtual clock is nowhere else to be seen.
        if surroundings.time is VirtualTimeSource { environment["TZ"] = surroundings.time.zone() }
        return ExtensionSpec(
            app: app,
            member: member,
            point: point,
            executable: executable,
            environment: environment
        )
    }

    /// A virtual clock stands still until the extension is done with it, also when nobody waits for it any more.
    func call(_ call: Call) async -> ExtensionOutcome {
        await surroundings.pulse.during {
            let startUs = Stopwatch.bootMicroseconds()
            let outcome = await extensions.call(
                call.spec,
                ExtensionJob(
                    call: ExtensionCall(
                        id: call.id,
                        attempt: call.attempt,
                        method: call.method.rawValue,
                        body: call.body,
                        wallMs: surroundings.time.now().wallMs,
                        deadlineMs: call.deadlineMs
                    ),
                    cause: call.cause,
                    trace: call.trace.next()
                )
            )
            asking.noteCall(
                "\(call.spec.app) \(call.method.rawValue)",
                id: call.id,
                cause: call.cause,
                call.trace,
                parent: nil,
                startUs: startUs,
                outcome: outcome.problem?.code ?? "ok"
            )
            return outcome
        }
    }

    /// In the order of the items.
    func tokens(
        _ target: ShieldTarget,
        app: String,
        member: String,
        _ trace: TraceContext,
        timeoutMs: Int64
    ) async throws -> [String] {
        let request = TokenIssue.Request(app: app, member: member, items: target.items)
        let options = CallOptions(timeoutMs: max(1, timeoutMs), trace: trace.next())
        let tokens = try await asking.client.call(TokenIssue.self, request, options).tokens
        guard tokens.count == target.items.count else {
            throw Problem("internal", "auth-service gave \(tokens.count) tokens for \(target.items.count).")
        }
        return tokens
    }

    static func late(_ app: String, ms: Int64) -> Problem {
        Problem(
            "shield.too_late",
            "\(app) did not answer within \(ms) ms, so the system answered in its place.",
            retryable: true,
            details: ["limit_ms": String(ms)]
        )
    }

    static func problem(_ error: any Error) -> Problem {
        (error as? Problem) ?? Problem("internal", "\(error)")
    }
}
