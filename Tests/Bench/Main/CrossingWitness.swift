import STContracts
import STPlatform
import STTestKit
import Synchronization

/// Somebody who follows the stream `activity`, and notes when each crossing was heard of.
final class CrossingWitness: Sendable {
    struct Sighting: Sendable {
        var member: String
        var event: String
        var dueBootMs: Int64
        /// When it was heard, so after the commit and the publishing.
        var heardUs: Int64
    }

    private struct Seen {
        var sightings: [Sighting] = []
        var hasJoined = false
        var isStopped = false
    }

    private let seen = Mutex(Seen())
    private let thread: LoopThread

    init(_ endpoint: String) throws {
        thread = try LoopThread(name: "witness")
        let peer = try RawPeer(.subscriber, endpoint)
        let marker = Topic.syncPrefix + TraceIdentifiers.span()
        for topic in [ThresholdReached.type, marker] { peer.subscribe(topic) }
        thread.post { [self] in
            while !seen.withLock({ $0.isStopped }) {
                guard let frames = peer.receive(withinMs: 100), let topic = frames.first else { continue }
                take(frames, isMarker: topic == Array(marker.utf8), Stopwatch.bootMicroseconds())
            }
            peer.close()
        }
    }

    var sightings: [Sighting] { seen.withLock { $0.sightings } }

    /// Whether the publisher knows of it.
    var hasJoined: Bool { seen.withLock { $0.hasJoined } }

    func stop() {
        seen.withLock { $0.isStopped = true }
        thread.stop()
        thread.join()
    }

    private func take(_ frames: [[UInt8]], isMarker: Bool, _ us: Int64) {
        if isMarker { return seen.withLock { $0.hasJoined = true } }
        guard frames.count == 3, let body = try? ActivityOccurrence.decodedBody(frames[2]) else { return }
        let sighting = Sighting(
            member: body.member,
            event: body.event ?? "",
            dueBootMs: body.dueBootMs ?? 0,
            heardUs: us
        )
        seen.withLock { $0.sightings.append(sighting) }
    }
}
