import STBus
package import STContracts
import STPlatform
package import STServiceKit
package import STZeroMQ

/// Sends requests to services in the name of the extension that is called, and records each request in the trace.
package struct ServiceRequester<State: Sendable>: Sendable {
    package let host: ServiceHost<State>
    package let surroundings: ServiceEnvironment
    package let client: BusClient
    /// The service under whose name the steps are recorded.
    private let service: ServiceName

    package init(_ service: ServiceName, host: ServiceHost<State>, surroundings: ServiceEnvironment) {
        self.service = service
        self.host = host
        self.surroundings = surroundings
        client = surroundings.makeClient()
    }

    package func forward(_ request: ForwardedRequest) async throws -> [UInt8] {
        guard let service = Catalogue.owner(ofRoute: request.route) else {
            throw Problem(
                "route.not_found",
                "No service handles \(request.route, "route").",
                key: "route.not_found.no-service-answers"
            )
        }
        let startUs = Stopwatch.bootMicroseconds()
        let options = CallOptions(
            timeoutMs: request.timeout.ms,
            idempotencyKey: request.idempotencyKey,
            trace: request.trace,
            cause: request.cause
        )
        do {
            let body = try await client.callRaw(request.route, to: service, request.body, options: options)
            note(request, startUs: startUs, outcome: "ok")
            return body
        } catch {
            note(request, startUs: startUs, outcome: (error as? Problem)?.code ?? "internal")
            throw error
        }
    }

    /// Records a callback in the trace.
    package func recordCall(
        _ name: String,
        id: String,
        cause: String,
        _ trace: TraceContext,
        parent: String?,
        startUs: Int64,
        outcome: String
    ) {
        let durationUs = Stopwatch.bootMicroseconds() - startUs
        recordSpan {
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

    private func note(_ request: ForwardedRequest, startUs: Int64, outcome: String) {
        let durationUs = Stopwatch.bootMicroseconds() - startUs
        recordSpan {
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

    private func recordSpan(_ span: @escaping @Sendable () -> TraceSpan) {
        let host = host
        Task(executorPreference: surroundings.loop.thread, priority: .medium) { await host.recordSpan(span) }
    }
}

/// Calls extensions, and records each call in the trace.
package struct ExtensionCaller<State: Sendable>: Sendable {
    package let requester: ServiceRequester<State>
    package let extensions: ExtensionHost

    package init(_ asking: ServiceRequester<State>, _ extensions: ExtensionHost) {
        self.requester = asking
        self.extensions = extensions
    }

    /// Returns the specification of an extension. Another language needs another process, because a program reads the language from
    /// its environment once.
    package func spec(
        _ app: String,
        member: String,
        point: ExtensionPoint,
        executable: String,
        bundle: String?,
        language: String?
    ) -> ExtensionSpec {
        var environment: [String: String] = [:]
        environment[ExtensionEnvironment.bundle] = bundle
        if let language, !language.isEmpty {
            for name in ["LANG", "LC_ALL"] { environment[name] = "\(language).UTF-8" }
        }
        let surroundings = requester.surroundings
        // A program has no other source for the zone of a virtual clock.
        if surroundings.time.virtual != nil { environment["TZ"] = surroundings.time.zone() }
        return ExtensionSpec(
            app: app,
            member: member,
            point: point,
            executable: executable,
            environment: environment
        )
    }

    /// Makes a call. A virtual clock does not advance until the extension is done, even if the caller has stopped waiting.
    package func call(_ spec: ExtensionSpec, _ job: ExtensionJob) async -> ExtensionOutcome {
        await requester.surroundings.hold.perform {
            let startUs = Stopwatch.bootMicroseconds()
            var next = job
            next.trace = job.trace.next()
            let outcome = await extensions.call(spec, next)
            requester.recordCall(
                "\(spec.app) \(job.call.method)",
                id: job.call.id,
                cause: job.cause,
                job.trace,
                parent: nil,
                startUs: startUs,
                outcome: outcome.problem?.code ?? "ok"
            )
            return outcome
        }
    }
}
