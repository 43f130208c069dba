import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// Listens to the spans of some services, by hand.
final class TraceListener {
    private let peers: [RawPeer]
    private(set) var spans: [TraceSpan] = []

    init(_ system: TestSystem, _ services: [ServiceName], topic: String = Topic.tracePrefix) throws {
        peers = try services.map { service in
            let peer = try RawPeer(.subscriber, try system.endpoint(service, .events))
            peer.subscribe(topic)
            let marker = Topic.syncPrefix + TraceIdentifiers.span()
            peer.subscribe(marker)
            // The answer proves that the subscription before it has arrived.
            try eventuallyBlocking("\(service) answers the marker") {
                guard let frames = peer.receive(withinMs: 1000), frames[0] == Array(marker.utf8) else {
                    throw NotYet("no answer")
                }
            }
            return peer
        }
    }

    func close() { for peer in peers { peer.close() } }

    /// The first span of a trace that is like this.
    func find(_ kind: TraceSpan.Kind, _ service: ServiceName, _ name: String, trace: String) throws
        -> TraceSpan
    {
        try eventuallyBlocking("a span \(kind) of \(name) from \(service)") {
            for peer in peers {
                while let frames = peer.receive() {
                    guard frames.count == 3 else { continue }
                    if let span = try? TraceSpan.decodedBody(frames[2]) { spans.append(span) }
                }
            }
            let found = spans.first {
                $0.kind == kind && $0.service == service.rawValue && $0.name == name && $0.traceId == trace
            }
            guard let found else {
                throw NotYet("only \(spans.map { "\($0.service) \($0.kind) \($0.name)" })")
            }
            return found
        }
    }
}
