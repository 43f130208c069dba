import STContracts
import STPlatform
import STTestKit

/// Brings observations to activity-center over a bare socket.
struct ObservationSender {
    let peer: RawPeer
    let run: String

    func frames(_ observations: [Observation]) throws -> [[UInt8]] {
        let body = UsageObserve.Request(agent: "bench-agent", run: run, observations: observations)
        let header = RequestHeader(
            id: "\(run)-\(observations.first?.sequence ?? 0)",
            route: UsageObserve.name,
            timeoutMs: 30_000,
            traceparent: TraceContext.fresh().traceparent
        )
        return [header.encoded(), try body.encodedBody()]
    }

    /// All of them in full batches; `observation` makes the one of a number.
    func sendAll(_ count: Int, _ observation: (Int) -> Observation) throws {
        let per = UsageObserve.batchMax
        let window = 4
        var underWay = 0
        for start in stride(from: 0, to: count, by: per) {
            let batch = (start..<min(start + per, count)).map(observation)
            guard peer.send(try frames(batch), withinMs: 10_000) else { throw Self.failed("not taken") }
            underWay += 1
            if underWay == window {
                try takeAnswer()
                underWay -= 1
            }
        }
        for _ in 0..<underWay { try takeAnswer() }
    }

    func takeAnswer() throws {
        guard let frames = peer.receive(withinMs: 30_000), let reply = RawReply(frames) else {
            throw Self.failed("not answered")
        }
        if let problem = reply.problem { throw problem }
    }

    static func failed(_ what: String) -> Problem {
        Problem("bench.failed", "It did not work: \(what).")
    }
}
