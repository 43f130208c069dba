import STBus
package import STContracts
import STPlatform

/// Asks services, each through a connection of its own that is made when it is first needed.
package actor BusClient {
    package typealias Resolver = @Sendable (ServiceName) throws -> String

    private let loop: BusLoop
    private let resolve: Resolver
    private var ports: [ServiceName: ClientPort] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// `resolve` gives the path of a service's rpc socket.
    package init(loop: BusLoop, resolve: @escaping Resolver) {
        self.loop = loop
        self.resolve = resolve
    }

    package func call<R: Route>(
        _ route: R.Type,
        to service: ServiceName? = nil,
        _ request: R.Request,
        _ options: CallOptions = CallOptions()
    ) async throws -> R.Reply {
        guard let target = service ?? Catalogue.owner(ofRoute: R.name) else {
            throw Problem("route.ambiguous", "Every service answers \(R.name); say which one is meant.")
        }
        var options = options
        // Writes are always repeatable, so that silence can be answered with a repeat.
        if R.kind == .write, options.idempotencyKey == nil {
            options.idempotencyKey = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        }
        let body = try request.encodedBody()
        return try R.Reply.decodedBody(try await callRaw(R.name, to: target, body, options))
    }

    package func callRaw(
        _ route: String,
        to service: ServiceName,
        _ body: [UInt8],
        _ options: CallOptions = CallOptions()
    ) async throws -> [UInt8] {
        guard body.count <= BusLimits.requestBodyBytes else {
            throw Problem(
                "frame.too_large",
                "The body is larger than \(BusLimits.requestBodyBytes) bytes. Send it in several requests."
            )
        }
        let port = try port(to: service)
        let id = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
        let deadline = Stopwatch.bootMilliseconds() + options.timeoutMs
        let header = RequestHeader(
            id: id,
            route: route,
            timeoutMs: options.timeoutMs,
            deadlineBootMs: deadline,
            idempotencyKey: options.idempotencyKey,
            traceparent: (options.trace ?? .fresh()).traceparent,
            cause: options.cause
        )
        let outcome = await withTaskCancellationHandler {
            // A method of the actor, because a closure that does not use `self` runs wherever it likes.
            await self.exchange(port, id, route, [header.encoded(), body], deadline)
        } onCancel: {
            loop.thread.post { self.assumeIsolated { $0.ports[service]?.cancel(id: id) } }
        }
        switch outcome {
        case .reply(let body, _): return body
        case .failed(let problem): throw problem
        }
    }

    private func exchange(
        _ port: ClientPort,
        _ id: String,
        _ route: String,
        _ frames: [[UInt8]],
        _ deadlineMs: Int64
    ) async -> CallTable.Outcome {
        await withCheckedContinuation { continuation in
            port.start(id: id, route: route, frames: frames, deadlineMs: deadlineMs) {
                continuation.resume(returning: $0)
            }
            if Task.isCancelled { port.cancel(id: id) }
        }
    }

    package func close() {
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
