import STContracts
import STDomain
import STPlatform
import STTestKit
import Synchronization

/// A subscriber that holds the policy, and notes when it came to hold each version of a store.
final class PolicyWitness: Sendable {
    private struct Seen {
        var book = PolicyBook()
        /// In nanoseconds of the stopwatch.
        var heard: [Int64: Int64] = [:]
        var hasJoined = false
        var isStopped = false
    }

    private let seen = Mutex(Seen())
    private let thread: LoopThread

    init(_ endpoint: String) throws {
        thread = try LoopThread(name: "witness")
        let peer = try RawPeer(.subscriber, endpoint)
        let marker = Topic.syncPrefix + TraceIdentifiers.span()
        for topic in [PolicyStoreChanged.type, marker] { peer.subscribe(topic) }
        thread.post { [self] in
            while !seen.withLock({ $0.isStopped }) {
                guard let frames = peer.receive(withinMs: 100), let topic = frames.first else { continue }
                take(frames, isMarker: topic == Array(marker.utf8))
            }
            peer.close()
        }
    }

    /// Whether the publisher knows of it.
    var hasJoined: Bool { seen.withLock { $0.hasJoined } }

    func heard(version: Int64) -> Int64? { seen.withLock { $0.heard[version] } }

    func stop() {
        seen.withLock { $0.isStopped = true }
        thread.stop()
        thread.join()
    }

    private func take(_ frames: [[UInt8]], isMarker: Bool) {
        if isMarker { return seen.withLock { $0.hasJoined = true } }
        guard frames.count == 3, let body = try? PolicyStore.decodedBody(frames[2]) else { return }
        seen.withLock {
            $0.book.apply(body)
            $0.heard[body.version] = Stopwatch.nanoseconds()
        }
    }
}
