import STBus
package import STContracts
import STPlatform
package import STServiceKit
package import STZeroMQ

/// Asks services in the name of whoever is called, and says so in the trace.
package struct ServiceAsking<State: Sendable>: Sendable {
    package let host: ServiceHost<State>
    package let surroundings: Surroundings
    package let client: BusClient
    /// In whose name steps are told.
    private let service: ServiceName

    package init(_ service: ServiceName, _ host: ServiceHost<State>, _ surroundings: Surroundings) {
        self.service = service
        self.host = host
        self.surroundings = surroundings
        client = BusClient(loop: surroundings.loop) { [directories = surroundings.directories] service in
            try directories.endpoint(service: service.rawValue, .rpc)
        }
    }

    package func forward(_ request: ForwardedRequest) async throws -> [UInt8] {
        guard let service = Catalogue.owner(ofRoute: request.route) else {
            throw Problem("route.not_found", "Nobody answers \(request.route).")
        }
        let startUs = Stopwatch.bootMicroseconds()
        let options = CallOptions(
            timeoutMs: request.timeoutMs,
            idempotencyKey: request.idempotencyKey,
            trace: request.trace,
            cause: request.cause
        )
        do {
            let body = try await client.callRaw(request.route, to: service, request.body, options)
            note(request, startUs, "ok")
            return body
        } catch {
            note(request, startUs, (error as? Problem)?.code ?? "internal")
            throw error
        }
    }

    /// A callback that was made: what it is called, and what led to it.
    package func noteCall(
        _ name: String,
        id: String,
        cause: String,
        _ trace: TraceContext,
        parent: String?,
        startUs: Int64,
        outcome: String
    ) {
        let durationUs = Stopwatch.bootMicroseconds() - startUs
        note {
            TraceSpan(
                service: service.rawValue,
                kind: .handle,
                name: name,
                messageId: id,
                cause: cause,
                trace: trace,
                parentId: parent,
                startUs: startUs,
                durationUs: durationUs,
                outcome: outcome
            )
        }
    }

    private func note(_ request: ForwardedRequest, _ startUs: Int64, _ outcome: String) {
        let durationUs = Stopwatch.bootMicroseconds() - startUs
        note {
            TraceSpan(
                service: service.rawValue,
                kind: .send,
                name: request.route,
                messageId: request.trace.spanID,
                cause: request.cause,
                trace: request.trace,
                parentId: request.parentSpan,
                startUs: startUs,
                durationUs: durationUs,
                bytes: Int64(request.body.count),
                outcome: outcome
            )
        }
    }

    private func note(_ span: @escaping @Sendable () -> TraceSpan) {
        let host = host
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await host.note(span) }
    }
}
