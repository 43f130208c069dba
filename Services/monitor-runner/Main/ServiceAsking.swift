import STContracts
import STExtensionHost
import STMonitorCore
import STPlatform
import STServiceKit
import STZeroMQ

/// Asks services in the name of whoever is called, and says so in the trace.
struct ServiceAsking: Sendable {
    let host: ServiceHost<MonitorState>
    let surroundings: Surroundings
    let client: BusClient

    func forward(_ request: ForwardedRequest) async throws -> [UInt8] {
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

    /// A callback that was made.
    func noteCall(_ delivery: Delivery, _ trace: TraceContext, startUs: Int64, outcome: String) {
        let durationUs = Stopwatch.bootMicroseconds() - startUs
        note {
            TraceSpan(
                service: ServiceName.monitor.rawValue,
                kind: .handle,
                name: "\(delivery.app) \(delivery.method.rawValue)",
                messageId: delivery.name,
                cause: delivery.id,
                trace: trace,
                parentId: TraceContext(traceparent: delivery.traceparent)?.spanID,
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
                service: ServiceName.monitor.rawValue,
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
