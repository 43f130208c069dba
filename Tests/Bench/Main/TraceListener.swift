import STContracts
import STPlatform
import STZeroMQ
import Synchronization

/// Somebody who listens to a service's trace.
final class TraceListener: @unchecked Sendable {
    // @unchecked: the port is touched on the bus thread only.
    private let loop: BusLoop
    private let endpoint: String
    private let seen = Atomic<Int>(0)
    private var port: SubscriberPort?

    init(_ loop: BusLoop, _ endpoint: String) {
        self.loop = loop
        self.endpoint = endpoint
    }

    var count: Int { seen.load(ordering: .relaxed) }

    /// Returns once the service knows that it is listened to.
    func start() async throws {
        let marker = Topic.syncPrefix + TraceIdentifiers.span()
        await withCheckedContinuation { (joined: CheckedContinuation<Void, Never>) in
            loop.thread.post { [self] in
                var waiting: CheckedContinuation<Void, Never>? = joined
                port = try? SubscriberPort(loop, endpoint: endpoint, topics: [Topic.tracePrefix, marker]) {
                    [self] frames in
                    if frames.first.map({ String(decoding: $0, as: UTF8.self) }) == marker {
                        waiting?.resume()
                        waiting = nil
                    } else {
                        seen.add(1, ordering: .relaxed)
                    }
                }
                if port == nil { joined.resume() }
            }
        }
    }

    func stop() async {
        await withCheckedContinuation { done in
            loop.thread.post { [self] in
                port?.close()
                port = nil
                done.resume()
            }
        }
    }
}
