package import STBus
package import STContracts
import STPlatform
import Synchronization

/// Sends requests to services, each through its own connection, which is made when it is first needed.
package actor BusClient {
    package typealias Resolver = @Sendable (ServiceName) throws -> String
    /// Computes the code that proves which service sends a request.
    package typealias Prover = @Sendable (_ id: String, _ route: String, _ body: [UInt8]) -> String

    private let loop: BusLoop
    private let timeoutMs: Int64
    private let prove: Prover?
    private let resolve: Resolver
    private var ports: [ServiceName: ClientPort] = [:]
    private var underWay: Set<String> = []
    private var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// The messages that its loop has sent and received.
    package nonisolated var traffic: BusTraffic { loop.traffic }

    /// `resolve` returns the path of a service's rpc socket. `timeoutMs` applies to requests that do not set a timeout.
    package init(
        loop: BusLoop,
        timeoutMs: Int64 = BusLimits.timeoutMsDefault,
        prove: Prover? = nil,
        resolve: @escaping Resolver
    ) {
        self.loop = loop
        self.timeoutMs = timeoutMs
        self.prove = prove
        self.resolve = resolve
    }

    package nonisolated func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName? = nil,
        _ request: R.Request,
        _ options: CallOptions = CallOptions()
    ) async throws -> R.Reply {
        guard let target = service ?? Catalogue.owner(ofRoute: R.name) else {
            throw Problem(
                "route.ambiguous",
                "Every service handles \(R.name, "name"). Specify which service to call."
            )
        }
        var options = options
        // Writes are always repeatable, so that silence can be answered with a repeat.
        if R.kind == .write, options.idempotencyKey == nil {
            options.idempotencyKey = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        }
        let body = try request.encodedBody()
        return try R.Reply.decodedBody(try await callRaw(R.name, to: target, body, options))
    }

    /// Not isolated: the message is made on the caller's thread, and only what touches sockets goes to the bus thread.
    package nonisolated func callRaw(
        _ route: String,
        to service: ServiceName,
        _ body: [UInt8],
        _ options: CallOptions = CallOptions()
    ) async throws -> [UInt8] {
        guard body.count <= BusLimits.requestBodyBytes else {
            throw Problem(
                "frame.too_large",
                """
                The body is larger than \(BusLimits.requestBodyBytes, "requestBodyBytes") bytes. Send it in \
                several requests.
                """,
                key: "frame.too_large.the-body-is"
            )
        }
        let now = Stopwatch.bootMilliseconds()
        let timeoutMs = options.timeoutMs ?? timeoutMs
        let id = Identifier.make(wallMs: now)
        let header = RequestHeader(
            id: id,
            route: route,
            timeoutMs: timeoutMs,
            deadlineBootMs: now + timeoutMs,
            idempotencyKey: options.idempotencyKey,
            traceparent: (options.trace ?? .fresh()).traceparent,
            cause: options.cause,
            behalf: options.behalf,
            proof: prove?(id, route, body)
        )
        let message = Message(id: header.id, route: route, frames: [header.encoded(), body])
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.thread.post {
                    self.assumeIsolated { $0.start(message, service, timeoutMs, continuation) }
                }
            }
        } onCancel: {
            message.cancellation.note()
            loop.thread.post { self.assumeIsolated { $0.cancel(message.id, service) } }
        }
        switch outcome {
        case .reply(let body, _): return body
        case .failed(let problem): throw problem
        }
    }

    private struct Message: Sendable {
        var id: String
        var route: String
        var frames: [[UInt8]]
        let cancellation = Cancellation()
    }

    /// Kept with the call, because a cancellation may come before the call begins, and after it has ended.
    private final class Cancellation: Sendable {
        private let flag = Atomic(false)

        func note() { flag.store(true, ordering: .releasing) }

        var isNoted: Bool { flag.load(ordering: .acquiring) }
    }

    private func start(
        _ message: Message,
        _ service: ServiceName,
        _ timeoutMs: Int64,
        _ continuation: CheckedContinuation<CallTable.Outcome, Never>
    ) {
        if message.cancellation.isNoted {
            return continuation.resume(
                returning: .failed(Problem("request.cancelled", "The request was cancelled."))
            )
        }
        do {
            // Nothing would close the socket of a later request, and the loop cannot stop until all sockets are closed.
            if isClosed {
                throw Problem(
                    "request.cancelled",
                    "The client was closed.",
                    key: "request.cancelled.the-client-was"
                )
            }
            let deadline = Stopwatch.bootMilliseconds() + timeoutMs
            let port = try port(to: service)
            underWay.insert(message.id)
            port.start(id: message.id, route: message.route, frames: message.frames, deadlineMs: deadline) {
                [weak self] outcome in
                self?.assumeIsolated { _ = $0.underWay.remove(message.id) }
                continuation.resume(returning: outcome)
            }
        } catch {
            let problem = Problem(error)
            continuation.resume(returning: .failed(problem))
        }
    }

    private func cancel(_ id: String, _ service: ServiceName) {
        if underWay.contains(id) { ports[service]?.cancel(id: id) }
    }

    package func close() {
        isClosed = true
        for port in ports.values { port.close() }
        ports = [:]
    }

    private func port(to service: ServiceName) throws -> ClientPort {
        if let port = ports[service] { return port }
        let port = try ClientPort(loop, service: service, endpoint: try resolve(service))
        ports[service] = port
        return port
    }
}

/// What a caller may set for one request.
package struct CallOptions: Sendable {
    /// Nil means the timeout of the client.
    package var timeoutMs: Int64?
    package var idempotencyKey: String?
    package var trace: TraceContext?
    package var cause: String?
    package var behalf: String?

    package init(
        timeoutMs: Int64? = nil,
        idempotencyKey: String? = nil,
        trace: TraceContext? = nil,
        cause: String? = nil,
        behalf: String? = nil
    ) {
        self.timeoutMs = timeoutMs
        self.idempotencyKey = idempotencyKey
        self.trace = trace
        self.cause = cause
        self.behalf = behalf
    }
}
