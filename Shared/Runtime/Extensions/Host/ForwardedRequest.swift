package import STContracts
import STPlatform

/// A callback's request to a service, checked and completed by its host.
package struct ForwardedRequest: Sendable {
    package var route: String
    /// The body with the extension's own app and member, even if the extension named others.
    package var body: [UInt8]
    package var timeout: Duration
    /// `<delivery>/<ordinal>/<digest of route and body>`. A callback that is tried again therefore repeats its keys.
    package var idempotencyKey: String
    package var cause: String
    package var trace: TraceContext
    /// The span of the callback, which makes the request.
    package var parentSpan: String

    package init(
        route: String,
        body: [UInt8],
        timeout: Duration,
        idempotencyKey: String,
        cause: String,
        during step: TraceContext
    ) {
        self.route = route
        self.body = body
        self.timeout = timeout
        self.idempotencyKey = idempotencyKey
        self.cause = cause
        trace = step.next()
        parentSpan = step.spanID
    }

    /// Checks a request of a callback, and sets the extension's own app and member in its body.
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
            timeout: .milliseconds(
                min(max(1, header.timeoutMs ?? BusLimits.timeoutMsDefault), BusLimits.timeoutMsMax)
            ),
            idempotencyKey: Self.key(job.call.id, ordinal: ordinal, route: header.route, body: body),
            cause: job.cause,
            during: job.trace
        )
    }

    /// Returns the idempotency key, which depends only on the delivery, ordinal, route and body.
    package static func key(_ delivery: String, ordinal: Int64, route: String, body: [UInt8]) -> String {
        var hash = Fingerprint()
        hash.add(route)
        hash.add(0)
        hash.add(body)
        return "\(delivery)/\(ordinal)/\(String(hash.value, radix: 16))"
    }
}
