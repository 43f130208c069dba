import STBus
import STContracts
import STCrypto
import STPlatform
import STZeroMQ

/// A connection to the household, on the bus thread.
actor HouseholdClient {
    private let loop: BusLoop
    private let port: ClientPort

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// How long a household may be away before another address of it is taken.
    private static let patienceMs: Int64 = 1_500

    /// `own` is this machine's key, or that of an invitation.
    init(_ loop: BusLoop, _ way: (address: String, server: [UInt8]), own: KeyPair) throws {
        self.loop = loop
        port = try ClientPort(
            loop,
            service: .household,
            endpoint: "tcp://" + way.address,
            keys: CurveClient(secret: own.secret, publicKey: own.publicKey, server: way.server)
        )
    }

    func call<R: Route>(_ route: R.Type, _ request: R.Request, timeoutMs: Int64 = BusLimits.timeoutMsDefault)
        async throws -> R.Reply
    {
        let now = Stopwatch.bootMilliseconds()
        let id = Identifier.make(wallMs: now)
        var header = RequestHeader(id: id, route: R.name, timeoutMs: timeoutMs)
        header.traceparent = TraceContext.fresh().traceparent
        let frames = [header.encoded(), try request.encodedBody()]
        let outcome = await withCheckedContinuation { continuation in
            port.start(id: id, route: R.name, frames: frames, deadlineMs: now + timeoutMs) {
                continuation.resume(returning: $0)
            }
        }
        switch outcome {
        case .reply(let body, _): return try R.Reply.decodedBody(body)
        case .failed(let problem):
            if port.isRefused { throw Self.refused }
            // A household that does not answer says nothing of why.
            let isSilent = ["deadline.exceeded", "request.cancelled", "service.not_running"].contains(
                problem.code
            )
            throw isSilent ? Self.unreached : problem
        }
    }

    /// With other addresses there is something better to do than to wait for this one.
    func hasOthers(_ hasOthers: Bool) { port.patienceMs = hasOthers ? Self.patienceMs : nil }

    nonisolated func close() { loop.thread.post { self.assumeIsolated { $0.port.close() } } }

    static let unreached = Problem(
        "household.not_reached",
        "The household's machine does not answer. See that it is on and in the same network, and that its firewall lets the port through.",
        retryable: true,
        help: "screentime household show"
    )

    static let refused = Problem(
        "household.refused",
        "The household does not let this machine in: it was put out, or its invitation is over. Join with a new code.",
        help: "screentime household join CODE"
    )
}
