package import STBus
package import STContracts
import STPlatform
import Synchronization

/// Sends requests to services and returns their replies. The client makes one connection to each service, when it is first needed.
///
/// Calls can be made from any task, and run concurrently. If no reply arrives, the client repeats the request until its deadline.
/// Each write has an idempotency key, so that a repeat has no second effect. `call` throws the service's `Problem`,
/// `service.not_running` if the request could not be sent, or `deadline.exceeded`.
///
/// ```swift
/// let loop = try BusLoop()
/// let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
/// let reply = try await client.call(MemberList.self, Empty())
/// print(reply.members.map(\.name))
/// await client.close()
/// loop.stop()
/// ```
package actor BusClient {
    package typealias Resolver = @Sendable (ServiceName) throws -> String
    /// Computes the code that proves which service sends a request.
    package typealias Prover = @Sendable (_ id: String, _ route: String, _ body: [UInt8]) -> String

    private let loop: BusLoop
    private let timeout: Duration
    private let prove: Prover?
    private let resolve: Resolver
    private var ports: [ServiceName: ClientPort] = [:]
    private var activeCalls: Set<String> = []
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
        timeout = .milliseconds(timeoutMs)
        self.prove = prove
        self.resolve = resolve
    }

    package nonisolated func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName? = nil,
        _ request: R.Request,
        options: CallOptions = CallOptions()
    ) async throws -> R.Reply {
        guard let target = service ?? Catalogue.owner(ofRoute: R.name) else {
            throw Problem(
                "route.ambiguous",
                "Every service handles \(R.name, "name"). Specify which service to call."
            )
        }
        var options = options
        // Every write has a key, so that the request can be repeated if no reply arrives.
        if R.kind == .write, options.idempotencyKey == nil {
            options.idempotencyKey = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        }
        let body = try request.encodedBody()
        return try R.Reply.decodedBody(try await callRaw(R.name, to: target, body, options: options))
    }

    /// Not isolated: the message is created on the caller's thread. Only the work with sockets runs on the bus thread.
    package nonisolated func callRaw(
        _ route: String,
        to service: ServiceName,
        _ body: [UInt8],
        options: CallOptions = CallOptions()
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
        let timeoutMs = options.timeoutMs ?? timeout.ms
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
                    self.assumeIsolated {
                        $0.start(
                            message,
                            service,
                            timeout: .milliseconds(timeoutMs),
                            continuation: continuation
                        )
                    }
                }
            }
        } onCancel: {
            message.cancellation.set()
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

    /// Stored with the call, because a cancellation may arrive before the call begins, and after it has ended.
    private final class Cancellation: Sendable {
        private let flag = Atomic(false)

        func set() { flag.store(true, ordering: .releasing) }

        var isSet: Bool { flag.load(ordering: .acquiring) }
    }

    private func start(
        _ message: Message,
        _ service: ServiceName,
        timeout: Duration,
        continuation: CheckedContinuation<CallTable.Outcome, Never>
    ) {
        if message.cancellation.isSet {
            return continuation.resume(
                returning: .failed(Problem("request.cancelled", "The request was cancelled."))
            )
        }
        do {
            // A later request would open a socket that nothing closes, and the loop cannot stop until all sockets are closed.
            if isClosed {
                throw Problem(
                    "request.cancelled",
                    "The client was closed.",
                    key: "request.cancelled.the-client-was"
                )
            }
            let deadline = (BootTime(ms: Stopwatch.bootMilliseconds()) + timeout).ms
            let port = try port(to: service)
            activeCalls.insert(message.id)
            port.start(id: message.id, route: message.route, frames: message.frames, deadlineMs: deadline) {
                [weak self] outcome in
                self?.assumeIsolated { _ = $0.activeCalls.remove(message.id) }
                continuation.resume(returning: outcome)
            }
        } catch {
            let problem = Problem(error)
            continuation.resume(returning: .failed(problem))
        }
    }

    private func cancel(_ id: String, _ service: ServiceName) {
        if activeCalls.contains(id) { ports[service]?.cancel(id: id) }
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

/// The options of one request.
package struct CallOptions: Sendable {
    /// The timeout in milliseconds. `nil` means the timeout of the client.
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
