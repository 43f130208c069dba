package import STContracts

/// What a callback asks a service for, checked and completed by its host.
package struct ForwardedRequest: Sendable {
    package var route: String
    /// With the extension's own app and member in it, whatever it said.
    package var body: [UInt8]
    package var timeoutMs: Int64
    /// `<delivery>/<ordinal>/<digest of route and body>`: a callback that is tried again repeats its keys.
    package var idempotencyKey: String
    package var cause: String
    package var trace: TraceContext
    /// The step during which it is asked: the callback.
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

    /// FNV-1a of route and body: to tell one request from another, not to withstand an attacker.
    package static func key(_ delivery: String, _ ordinal: Int64, _ route: String, _ body: [UInt8]) -> String
    {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in Array(route.utf8) + [0] + body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(delivery)/\(ordinal)/\(String(hash, radix: 16))"
    }
}
