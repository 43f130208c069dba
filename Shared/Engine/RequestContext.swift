package import STBus
package import STContracts
package import STPlatform

/// What a handler may know besides its request.
package struct RequestContext: Sendable {
    package let principal: Principal
    package let header: RequestHeader
    package let now: TimeReading
    package let zone: String
    package let trace: TraceContext

    package init(_ request: AdmittedRequest, now: TimeReading, zone: String) {
        principal = request.principal
        header = request.header
        trace = request.trace
        self.now = now
        self.zone = zone
    }
}
