import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Synchronization
import Testing

extension SystemSuite {
    @Suite("Follower outside the system")
    struct FollowerTests {
        private let count = 1500
        private let durationMs: Int64 = 4000

        @Test("A follower receives every event once while the publisher is killed repeatedly")
        func rawFollower() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                var follower = try RawFollower(system, .usage, of: .activity)
                let feed = try UsageFeed(system, members: members, count: count, durationMs: durationMs)
                let trouble = try TroubleMaker(system, [.activity], pauseMs: 100...400, seed: Soak.seed)
                let startMs = Stopwatch.milliseconds()
                var made: TroubleMaker.Figures?
                try follower.run(
                    until: {
                        guard Stopwatch.milliseconds() - startMs > durationMs else { return nil }
                        if made == nil {
                            made = try trouble.end()
                            try feed.finish()
                        }
                        return try head(system)
                    },
                    withinMs: 60_000
                )

                let log = try await system.events(.usage, of: .activity)
                // Live events also contain the id of their predecessor, which a page does not need.
                #expect(follower.events.map(\.header.id) == log.map(\.header.id))
                #expect(follower.events.map(\.body) == log.map(\.body))
                #expect(follower.events.map(\.header.sequence) == Array(1...Int64(log.count)))
                print(
                    "follower: \(log.count) events, \(follower.heard) heard live, \(follower.holes) holes, "
                        + "\(made?.kills ?? 0) kills, \(made?.stops ?? 0) stops, \(made?.restarts ?? 0) restarts"
                )
                #expect((made.map { $0.kills + $0.stops + $0.restarts } ?? 0) > 0)
            }
        }

        private func head(_ system: TestSystem) throws -> Int64? {
            let peer = try RawPeer(.dealer, try system.endpoint(.activity))
            defer { peer.close() }
            let reply = try peer.ask(HealthReport.name)
            return try HealthReport.Reply.decodedBody(reply.body).streams.first {
                $0.stream == StreamName.usage.rawValue
            }?.sequence
        }
    }
}

/// A simple follower: a SUB socket as a signal, and `events.since` for events that it did not receive.
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

    /// Receives events until the requested number has arrived. The deadline does not include the time that `isDone` takes.
    mutating func run(until isDone: () throws -> Int64?, withinMs: Int64) throws {
        var deadlineMs = Stopwatch.milliseconds() + withinMs
        while Stopwatch.milliseconds() < deadlineMs {
            if let frames = subscriber.receive(withinMs: 100) { try take(frames) }
            let askedMs = Stopwatch.milliseconds()
            if let head = try isDone(), last >= head { return subscriber.close() }
            deadlineMs += Stopwatch.milliseconds() - askedMs
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

    /// A publisher that is just being killed does not reply. The next marker or beacon triggers another attempt.
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

/// Sends observations on its own thread, for tests that check the results.
final class UsageFeed: Sendable {
    private let result = Mutex<Result<ObservationDriver.Figures, any Error>?>(nil)
    private let thread: LoopThread

    /// `agent` must differ between the feeds of a system, because the boot times of one agent never go back.
    init(
        _ system: TestSystem,
        agent: String = "agent-1",
        members: [String],
        count: Int,
        durationMs: Int64 = 0
    ) throws {
        var random = SeededRandom(seed: Soak.seed)
        let plan = ObservationPlan(agent: agent, count: count, members: members, random: &random)
        let endpoint = try system.endpoint(.activity)
        thread = try LoopThread(name: "feed")
        thread.post { [self] in
            let outcome = Result {
                var driver = try ObservationDriver(plan, endpoint: endpoint, durationMs: durationMs)
                return try driver.run()
            }
            result.withLock { $0 = outcome }
        }
    }

    /// Returns once every observation is acknowledged.
    func finish() throws {
        thread.stop()
        thread.join()
        _ = try result.withLock { $0 }?.get()
    }
}
