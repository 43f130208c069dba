import STContracts
import STPlatform
import STTestKit
import Synchronization

/// Asks a service as fast as it answers, on a thread of its own, until told to stop.
final class RequestLoad: Sendable {
    private struct State {
        var isStopped = false
        var answered = 0
    }

    private static let window = 64
    private let state = Mutex(State())
    private let thread: LoopThread

    init(endpoint: String) throws {
        thread = try LoopThread(name: "load")
        let peer = try RawPeer(.dealer, endpoint, queuesWithoutPeer: false)
        thread.post { [self] in
            run(peer)
            peer.close()
        }
    }

    var answered: Int { state.withLock { $0.answered } }

    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        guard isFirst else { return }
        thread.stop()
        thread.join()
    }

    private func run(_ peer: RawPeer) {
        var underWay = 0
        while !state.withLock({ $0.isStopped }) {
            while underWay < Self.window {
                let route = underWay % 2 == 0 ? HealthReport.name : HealthPing.name
                guard peer.send([RequestHeader(id: "1", route: route).encoded()], withinMs: 20) else { break }
                underWay += 1
            }
            if peer.receive(withinMs: 20) != nil {
                underWay -= 1
                state.withLock { $0.answered += 1 }
            } else if state.withLock({ $0.isStopped }) {
                return
            }
        }
    }
}
