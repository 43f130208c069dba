package import STContracts
import STPlatform

/// A callback's request to a service, checked and completed by its host.
package struct ForwardedRequest: Sendable {
    package var route: String
    /// Names the extension's own app and member, also when the extension named others.
    package var body: [UInt8]
    package var timeoutMs: Int64
    /// `<delivery>/<ordinal>/<digest of route and body>`: a callback that is tried again repeats its keys.
    package var idempotencyKey: String
    package var cause: String
    package var trace: TraceContext
    /// The step of the trace that makes the request: the callback.
    package var parentSpan: String

    package init(
        route: String,
        body: [UInt8],
        timeoutMs: Int64,
        idempotencyKey: String,
        cause: String,
        during step: TraceContext
    ) {
        self.route = route
        self.body = body
        self.timeoutMs = timeoutMs
        self.idempotencyKey = idempotencyKey
        self.cause = cause
        trace = step.next()
        parentSpan = step.spanID
    }

    /// Checks what a callback asks for, and puts the extension's own app and member in its place.
    init(
        _ header: RequestHeader,
        _ body: [UInt8],
        ordinal: Int64,
        of spec: ExtensionSpec,
        during job: ExtensionJob,
        waiting: Int
    ) throws {
        guard spec.point.routes.contains(header.route) else {
            throw ExtensionProblem.routeRefused(header.route, spec.point)
        }
        guard waiting < ExtensionProtocol.requestsMax else {
            throw Problem(
                "extension.too_many_requests",
                "\(waiting, "waiting") requests are already waiting for replies. Wait for one of them.",
                retryable: true
            )
        }
        guard case .object(var members) = try JSONValue(text: body) else {
            throw Problem(
                "body.invalid",
                "The body must be a JSON object.",
                key: "body.invalid.the-body-must"
            )
        }
        members["app"] = .string(spec.app)
        members["member"] = .string(spec.member)
        let body = JSONValue.object(members).text
        self.init(
            route: header.route,
            body: body,
            timeoutMs: min(max(1, header.timeoutMs ?? BusLimits.timeoutMsDefault), BusLimits.timeoutMsMax),
            idempotencyKey: Self.key(job.call.id, ordinal, header.route, body),
            cause: job.cause,
            during: job.trace
        )
    }

    /// The same delivery, ordinal, route and body give the same key.
    package static func key(_ delivery: String, _ ordinal: Int64, _ route: String, _ body: [UInt8]) -> String
    {
        var hash = Fingerprint()
        hash.add(route)
        hash.add(0)
        hash.add(body)
        return "\(delivery)/\(ordinal)/\(String(hash.value, radix: 16))"
    }
}
