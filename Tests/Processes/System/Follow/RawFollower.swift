import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// A follower by hand: a SUB socket for a doorbell, and events.since for all that it did not hear.
struct RawFollower {
    private let stream: StreamName
    private let subscriber: RawPeer
    private let endpoint: String
    private let marker: String
    private(set) var events: [WireEvent] = []
    private(set) var heard = 0
    private(set) var holes = 0

    init(_ system: TestSystem, _ stream: StreamName, of service: ServiceName) throws {
        self.stream = stream
        endpoint = try system.endpoint(service, .rpc)
        subscriber = try RawPeer(.subscriber, try system.endpoint(service, .events))
        marker = Topic.syncPrefix + TraceIdentifiers.span()
        for topic in [Topic.subscription(stream), Topic.head(stream), marker] { subscriber.subscribe(topic) }
    }

    private var last: Int64 { events.last?.header.sequence ?? 0 }

    /// Takes what comes until as many events are there.
    mutating func run(until isDone: () throws -> Int64?, withinMs: Int64) throws {
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        while Stopwatch.milliseconds() < deadlineMs {
            if let frames = subscriber.receive(withinMs: 100) { try take(frames) }
            if let head = try isDone(), last >= head { return subscriber.close() }
        }
        throw NotYet("the follower stands at \(last)")
    }

    private mutating func take(_ frames: [[UInt8]]) throws {
        let topic = String(decoding: frames[0], as: UTF8.self)
        if topic == marker { return catchUp() }
        if topic == Topic.head(stream) {
            if let head = StreamPoint.read(frames[2]), head.sequence > last { catchUp() }
            return
        }
        guard let event = WireEvent(frames: frames) else { throw NotYet("no event: \(frames)") }
        heard += 1
        if event.header.sequence == last + 1 {
            events.append(event)
        } else if event.header.sequence > last + 1 {
            holes += 1
            catchUp()
        }
    }

    /// A publisher that is just being killed does not answer; the next marker or beacon brings us here again.
    private mutating func catchUp() {
        guard let peer = try? RawPeer(.dealer, endpoint, queuesWithoutPeer: false) else { return }
        defer { peer.close() }
        while true {
            let place = events.last?.header
            let request = EventsSince.Request(
                stream: stream.rawValue,
                epoch: place?.epoch,
                sequence: place?.sequence,
                id: place?.id
            )
            guard let body = try? request.encodedBody(),
                let reply = try? peer.ask(EventsSince.name, body, withinMs: 1000), reply.header.ok,
                let page = try? EventPage.decodedBody(reply.body)
            else { return }
            events += page.events
            if page.next == nil { return }
        }
    }
}
