import STBus
import STContracts
import STCrypto
import STLinkCore
import STPlatform
import STZeroMQ

/// A connection to the household, on the bus thread.
actor HouseholdClient {
    private let loop: BusLoop
    private let port: ClientPort

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    /// The time without a connection after which another address is used.
    private static let failoverDelay = Duration.milliseconds(1_500)

    /// `own`: this machine's key, or the key of an invitation.
    init(_ loop: BusLoop, _ way: (address: String, server: [UInt8]), own: KeyPair) throws {
        self.loop = loop
        port = try ClientPort(
            loop,
            service: .household,
            endpoint: "tcp://" + way.address,
            keys: CurveClient(secret: own.secret, publicKey: own.publicKey, server: way.server)
        )
    }

    func call<R: Route>(
        _ route: R.Type,
        _ request: R.Request,
        timeout: Duration = .milliseconds(BusLimits.timeoutMsDefault)
    ) async throws -> R.Reply {
        let now = Stopwatch.bootMilliseconds()
        let id = Identifier.make(wallMs: now)
        var header = RequestHeader(id: id, route: R.name, timeoutMs: timeout.ms)
        header.traceparent = TraceContext.fresh().traceparent
        let frames = [header.encoded(), try request.encodedBody()]
        let outcome = await withCheckedContinuation { continuation in
            port.start(id: id, route: R.name, frames: frames, deadlineMs: now + timeout.ms) {
                continuation.resume(returning: $0)
            }
        }
        switch outcome {
        case .reply(let body, _): return try R.Reply.decodedBody(body)
        case .failed(let problem): throw HouseholdProblem.reported(problem, isRefused: port.isRefused)
        }
    }

    /// Without another address, requests wait for this one.
    func hasOthers(_ hasOthers: Bool) { port.refusalTimeoutMs = hasOthers ? Self.failoverDelay.ms : nil }

    nonisolated func close() { loop.thread.post { self.assumeIsolated { $0.port.close() } } }
}
