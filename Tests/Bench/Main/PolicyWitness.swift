import STContracts
import STDomain
import STPlatform
import STTestKit
import Synchronization

/// A subscriber that holds the policy, and notes when it came to hold each version of each store.
final class PolicyWitness: Sendable {
    private struct Seen {
        var book = PolicyBook()
        /// By store and version: microseconds since the machine was started, on the clock of every process.
        var heardUs: [String: Int64] = [:]
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

    func heardUs(store: String, version: Int64) -> Int64? {
        seen.withLock { $0.heardUs[Self.key(store, version)] }
    }

    func stop() {
        seen.withLock { $0.isStopped = true }
        thread.stop()
        thread.join()
    }

    private static func key(_ store: String, _ version: Int64) -> String { "\(store) \(version)" }

    private func take(_ frames: [[UInt8]], isMarker: Bool) {
        if isMarker { return seen.withLock { $0.hasJoined = true } }
        guard frames.count == 3, let body = try? PolicyStore.decodedBody(frames[2]) else { return }
        seen.withLock {
            $0.book.apply(body)
            $0.heardUs[Self.key(body.store, body.version)] = Stopwatch.bootMicroseconds()
        }
    }
}
