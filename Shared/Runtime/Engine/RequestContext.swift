package import STBus
package import STContracts
package import STPlatform

/// What a handler may know besides its request.
package struct RequestContext: Sendable {
    package let principal: Principal
    package let header: RequestHeader
    package let now: TimeReading
    package let trace: TraceContext
    /// What other services had to say first.
    package let prepared: PreparedAnswers
    private let time: any TimeSource

    /// The local zone at this moment; found only when a handler asks, because finding it reads the disk.
    package var zone: String { time.zone() }

    /// Which start of the machine this is.
    package var bootID: String { time.bootID }

    package init(_ request: AdmittedRequest, time: any TimeSource) {
        principal = request.principal
        header = request.header
        trace = request.trace
        prepared = PreparedAnswers(request.prepared)
        self.time = time
        now = time.now()
    }
}
