import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Traces")
    struct TraceTests {
        @Test("The trace of an observation contains the spans handle, commit, publish and apply in order")
        func wholeWay() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report]) { system in
                let members = try await system.makeMembers()
                // Live from here on, so that the subscriber's span is that of a live event.
                try await system.waitUntilFollowed(.usage, of: .activity, by: .report)
                let listener = try TraceListener(system, [.activity, .report])
                defer { listener.close() }
                let caller = TraceContext.fresh()
                try observe(system, members, trace: caller)

                let handle = try listener.find(
                    .handle,
                    service: .activity,
                    name: UsageObserve.name,
                    trace: caller.traceID
                )
                let commit = try listener.find(
                    .commit,
                    service: .activity,
                    name: UsageObserve.name,
                    trace: caller.traceID
                )
                let publish = try listener.find(
                    .publish,
                    service: .activity,
                    name: SegmentOpened.type,
                    trace: caller.traceID
                )
                let apply = try listener.find(
                    .apply,
                    service: .report,
                    name: SegmentOpened.type,
                    trace: caller.traceID
                )

                #expect(handle.parentId == caller.spanID)
                #expect(handle.messageId == "7")
                #expect(handle.outcome == "ok")
                #expect(commit.parentId == handle.spanId)
                #expect(commit.messageId == handle.messageId)
                #expect(publish.cause == handle.messageId)
                #expect(apply.parentId == publish.spanId)
                #expect(apply.messageId == publish.messageId)
                #expect(apply.cause == handle.messageId)
                // All processes of the machine share one clock.
                #expect(handle.startUs <= commit.startUs && commit.startUs <= publish.startUs)
                #expect(publish.startUs <= apply.startUs + apply.durationUs)
                #expect(Set([handle, commit, publish, apply].map(\.spanId)).count == 4)
            }
        }

        private func observe(_ system: TestSystem, _ members: [String], trace: TraceContext) throws {
            var random = SeededRandom(seed: 1)
            let plan = ObservationPlan(count: 1, members: members, random: &random)
            let peer = try RawPeer(.dealer, try system.endpoint(.activity))
            defer { peer.close() }
            let header = RequestHeader(id: "7", route: UsageObserve.name, traceparent: trace.traceparent)
            let reply = try peer.exchange([header.encoded(), try plan.request(1)[1]])
            #expect(reply.header.ok)
        }

        @Test(
            "The trace of a used-up limit leads from the observation to the shield in the policy"
        )
        func limit() async throws {
            try await TestSystem.run(services: [.auth, .activity, .shield]) { system in
                let member = try await system.makeMembers()[0]
                let spec = RuleSpec(
                    kind: .limit,
                    member: member,
                    targets: [TokenItem(kind: .application, id: AppUsageSender.app)],
                    durationMs: 1_000,
                    then: .shield
                )
                _ = try await eventually("activity-center accepts a rule for the member") {
                    try await system.client.call(RuleAdd.self, .init(spec))
                }
                let listener = try TraceListener(system, [.activity, .shield])
                defer { listener.close() }
                let sender = try AppUsageSender(system, member: member)
                defer { sender.close() }
                // A little more than the limit.
                try sender.use(forMs: 1_200)

                let publish = try listener.find(.publish, service: .shield, name: PolicyStoreChanged.type)
                // A service publishes the span of an event after the events that it caused.
                _ = try listener.find(
                    .apply,
                    service: .shield,
                    name: RuleDecided.type,
                    trace: publish.traceId
                )
                _ = try listener.find(
                    .handle,
                    service: .activity,
                    name: UsageObserve.name,
                    trace: publish.traceId
                )
                #expect(
                    listener.chain(endingWith: publish).map { "\($0.service) \($0.kind) \($0.name)" } == [
                        "activity-center handle usage.observe",
                        "activity-center publish \(RuleDecided.type)",
                        "shield-service apply \(RuleDecided.type)",
                        "shield-service publish \(PolicyStoreChanged.type)",
                    ]
                )
            }
        }

        @Test("Traces are not published without a subscriber")
        func silence() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                // A subscription to everything: the empty topic matches every topic, and does not request traces.
                let everything = try RawPeer(.subscriber, try system.endpoint(.activity, .events))
                defer { everything.close() }
                everything.subscribe("")
                everything.subscribe(Topic.syncPrefix + "1")
                try eventuallyBlocking("the subscription has arrived") {
                    guard everything.receive(withinMs: 1000) != nil else { throw NotYet("nothing yet") }
                }
                try UsageFeed(system, members: members, count: 50).finish()
                let log = try await system.events(.usage, of: .activity)

                var topics: [String] = []
                try await eventually("all events have arrived") {
                    while let frames = everything.receive() {
                        topics.append(String(decoding: frames[0], as: UTF8.self))
                    }
                    let events = topics.filter { $0.hasPrefix("usage.") }.count
                    guard events == log.count else { throw NotYet("\(events) of \(log.count)") }
                }
                #expect(topics.filter { $0.hasPrefix(Topic.tracePrefix) }.isEmpty)
            }
        }

        @Test("Traces continue for one subscriber after another with a narrower topic has disconnected")
        func twoListeners() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                let whole = try TraceListener(system, [.activity])
                defer { whole.close() }
                let narrow = try TraceListener(
                    system,
                    [.activity],
                    topic: Topic.tracePrefix + "activity-center"
                )
                let before = try await system.client.call(HealthReport.self, to: .activity, Empty())
                narrow.close()
                try await eventually("the service has counted the disconnection") {
                    let after = try await system.client.call(HealthReport.self, to: .activity, Empty())
                    let wanted = (before.counters["disconnects"] ?? 0) + 1
                    guard let count = after.counters["disconnects"], count >= wanted else {
                        throw NotYet("it is there")
                    }
                }
                // The end of a subscription is handled after that of its connection, on the same thread as requests.
                for _ in 0..<3 { _ = try await system.client.call(HealthPing.self, to: .activity, Empty()) }
                let caller = TraceContext.fresh()
                try observe(system, members, trace: caller)
                _ = try whole.find(
                    .handle,
                    service: .activity,
                    name: UsageObserve.name,
                    trace: caller.traceID
                )
            }
        }

        @Test("Traces end when their subscriber disconnects")
        func endsWithListener() async throws {
            try await TestSystem.run(services: [.auth, .activity]) { system in
                let members = try await system.makeMembers()
                let listener = try TraceListener(system, [.activity])
                let caller = TraceContext.fresh()
                try observe(system, members, trace: caller)
                _ = try listener.find(
                    .handle,
                    service: .activity,
                    name: UsageObserve.name,
                    trace: caller.traceID
                )
                let everything = try RawPeer(.subscriber, try system.endpoint(.activity, .events))
                defer { everything.close() }
                everything.subscribe("")
                listener.close()
                try await eventually("a request leaves no span") {
                    while everything.receive() != nil {}
                    _ = try await system.client.call(HealthPing.self, to: .activity, Empty())
                    var count = 0
                    while let frames = everything.receive(withinMs: 50) {
                        if frames[0].starts(with: Topic.tracePrefix.utf8) { count += 1 }
                    }
                    guard count == 0 else { throw NotYet("\(count) spans") }
                }
            }
        }
    }
}

/// Sends observations of one member who uses one app.
private final class AppUsageSender {
    static let app = "org.example.game"
    private let peer: RawPeer
    private let member: String
    private let time = SystemTimeSource()
    private var sequence: Int64 = 0

    init(_ system: TestSystem, member: String) throws {
        peer = try RawPeer(.dealer, try system.endpoint(.activity))
        self.member = member
    }

    func close() { peer.close() }

    func use(forMs ms: Int32) throws {
        try observe()
        poll(nil, 0, ms)
        try observe()
    }

    private func observe() throws {
        sequence += 1
        let seen = Observation(
            sequence: sequence,
            bootId: time.bootID,
            at: time.now(),
            zone: "UTC",
            member: member,
            presence: .active,
            app: Self.app
        )
        let request = UsageObserve.Request(agent: "an-agent", run: "a-run", observations: [seen])
        let header = RequestHeader(id: "observe-\(sequence)", route: UsageObserve.name)
        let reply = try peer.exchange([header.encoded(), try request.encodedBody()])
        #expect(reply.header.ok)
    }
}

/// Receives the spans of some services over plain sockets.
final class TraceListener {
    private let peers: [RawPeer]
    private(set) var spans: [TraceSpan] = []

    init(_ system: TestSystem, _ services: [ServiceName], topic: String = Topic.tracePrefix) throws {
        peers = try services.map { service in
            let peer = try RawPeer(.subscriber, try system.endpoint(service, .events))
            peer.subscribe(topic)
            let marker = Topic.syncPrefix + TraceIdentifiers.span()
            peer.subscribe(marker)
            // The reply proves that the earlier subscription has arrived.
            try eventuallyBlocking("\(service) answers the marker") {
                guard let frames = peer.receive(withinMs: 1000), frames[0] == Array(marker.utf8) else {
                    throw NotYet("no answer")
                }
            }
            return peer
        }
    }

    func close() { for peer in peers { peer.close() } }

    /// The chain of spans that ends with `span`, oldest first.
    func chain(endingWith span: TraceSpan) -> [TraceSpan] {
        var steps = [span]
        while let first = steps.first,
            let parent = spans.first(where: { other in
                // A publish span has no parent. Its `cause` is the id of the message that the service handled or applied.
                first.kind == .publish
                    ? other.service == first.service && other.kind != .publish && other.kind != .commit
                        && other.messageId == first.cause
                    : other.spanId == first.parentId
            })
        { steps.insert(parent, at: 0) }
        return steps
    }

    /// Returns the first span with this kind, service and name. If `trace` is `nil`, spans of every trace count.
    func find(_ kind: TraceSpan.Kind, service: ServiceName, name: String, trace: String? = nil) throws
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
                $0.kind == kind && $0.service == service.rawValue && $0.name == name
                    && (trace == nil || $0.traceId == trace)
            }
            guard let found else {
                throw NotYet("only \(spans.map { "\($0.service) \($0.kind) \($0.name)" })")
            }
            return found
        }
    }
}
