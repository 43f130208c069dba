package import STContracts

/// What a caller may say about one request.
package struct CallOptions: Sendable {
    package var timeoutMs: Int64
    package var idempotencyKey: String?
    package var trace: TraceContext?
    package var cause: String?

    package init(
        timeoutMs: Int64 = BusLimits.timeoutMsDefault,
        idempotencyKey: String? = nil,
        trace: TraceContext? = nil,
        cause: String? = nil
    ) {
        self.timeoutMs = timeoutMs
        self.idempotencyKey = idempotencyKey
        self.trace = trace
        self.cause = cause
    }
}
