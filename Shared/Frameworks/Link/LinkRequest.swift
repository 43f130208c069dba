package import STContracts

/// One request, made ready.
package struct LinkRequest: Sendable {
    package var route: String
    package var service: ServiceName
    package var isWrite: Bool
    package var body: [UInt8]
    package var timeoutMs: Int64

    package init<R: Route>(
        _ route: R.Type,
        to service: ServiceName,
        _ request: R.Request,
        timeoutMs: Int64
    ) throws {
        self.route = R.name
        self.service = service
        isWrite = R.kind == .write
        body = try request.encodedBody()
        self.timeoutMs = min(max(1, timeoutMs), BusLimits.timeoutMsMax)
    }
}
