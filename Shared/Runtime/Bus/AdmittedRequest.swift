package import STContracts

/// A request that passed every check that needs no knowledge of its meaning.
package struct AdmittedRequest: Sendable {
    package var header: RequestHeader
    package var body: [UInt8]
    package var principal: Principal
    /// What must stand in front of the reply: nothing, or the empty frame of a REQ peer.
    package var envelope: [[UInt8]]
    package var deadlineBootMs: Int64
    package var receivedNs: Int64
    /// This request's own step in its story.
    package var trace: TraceContext
    /// What other services had to say first, for a route that needs it, by the routes that were asked.
    package var prepared: [String: [UInt8]] = [:]

    package func isExpired(nowBootMs: Int64) -> Bool { nowBootMs >= deadlineBootMs }

    package init(
        header: RequestHeader,
        body: [UInt8],
        principal: Principal,
        envelope: [[UInt8]],
        deadlineBootMs: Int64,
        receivedNs: Int64,
        trace: TraceContext
    ) {
        self.header = header
        self.body = body
        self.principal = principal
        self.envelope = envelope
        self.deadlineBootMs = deadlineBootMs
        self.receivedNs = receivedNs
        self.trace = trace
    }
}
