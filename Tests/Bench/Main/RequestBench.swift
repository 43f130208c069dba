import STBaseline
import STBus
import STContracts
import STEngine
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization

/// Measures round trips of `settings.get`, with types and roles checked in the service, and decoded here.
struct RequestBench {
    private let scratch: BenchScratch
    private let isShort: Bool

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        self.isShort = isShort
    }

    func run() async throws -> [Figure] {
        // auth-service provides the account's member, without which nothing can be set.
        try scratch.start("auth-service")
        try scratch.start("shield-service")
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        let settings: [String: JSONValue] = [
            "shield.applications": .array((0..<10).map { ["id": .string("app-number-\($0)")] }),
            "safari.cookiePolicy": "never",
        ]
        let address = SettingsGet.Request(app: "screentime.rules", store: "daily")
        let member = try await client.call(MemberShow.self, .init()).member.name
        let activity = try await StandInService(
            ServiceDefinition(
                name: .activity,
                streams: [.decision],
                load: { _ in 0 },
                begin: { _, change in
                    let decision = RuleDecision(member: member, rule: address.store, settings: settings)
                    try change.emit(RuleDecided.self, subject: "rule/\(member)/\(address.store)", decision)
                }
            ),
            directories
        )
        try await eventually("the rule's settings are set") {
            guard try await client.call(SettingsGet.self, address).settings == settings else {
                throw NotYet("they are not")
            }
        }
        try await activity.stop()
        let reply = try await client.callRaw(SettingsGet.name, to: .shield, address.encodedBody())
        let endpoint = "ipc://\(directories.run)/baseline"
        let request = requestFrames(address)
        let replyHeader = ReplyHeader(id: Identifier.make(wallMs: 0), ok: true).encoded()
        try scratch.role([
            "--role", "serve", endpoint, String(decoding: replyHeader, as: UTF8.self),
            String(decoding: reply, as: UTF8.self),
        ])
        let listener = TraceListener(loop, try directories.endpoint(service: "shield-service", .events))
        var baseline = Measurement()
        var plain = Measurement()
        var traced = Measurement()
        // In alternating turns, so that other work of the machine affects all of them alike.
        for round in 0..<(isShort ? 6 : 20) {
            let count = 1_000
            let raw = ask(endpoint, request: request, count: count)
            let off = try await calls(client, loop: loop, address: address, count: count)
            try await listener.start()
            let on = try await calls(client, loop: loop, address: address, count: count)
            await listener.stop()
            if round == 0 { continue }
            baseline.add(raw)
            plain.add(off)
            traced.add(on)
        }
        _ = st_baseline_end(endpoint)
        await client.close()
        loop.stop()
        return figures(
            baseline,
            plain: plain,
            traced: traced,
            bytes: reply.count,
            spans: listener.spans.count
        )
    }

    private func figures(
        _ baseline: Measurement,
        plain: Measurement,
        traced: Measurement,
        bytes: Int,
        spans: Int
    )
        -> [Figure]
    {
        let raw = baseline.quantileUs(0.5)
        let off = plain.quantileUs(0.5)
        let on = traced.quantileUs(0.5)
        return [
            Figure(bench: "request", name: "reply body", value: Double(bytes), unit: "bytes"),
            Figure(bench: "request", name: "plain libzmq loop p50", value: raw, unit: "us"),
            Figure(
                bench: "request",
                name: "plain libzmq loop p99",
                value: baseline.quantileUs(0.99),
                unit: "us"
            ),
            Figure(bench: "request", name: "settings.get p50", value: off, unit: "us"),
            Figure(bench: "request", name: "settings.get p99", value: plain.quantileUs(0.99), unit: "us"),
            Figure(
                bench: "request",
                name: "ratio of the p50s",
                value: off / raw,
                unit: "x",
                bar: .atMost(1.8)
            ),
            Figure(
                bench: "request",
                name: "spans seen while tracing",
                value: Double(spans),
                unit: "",
                bar: .atLeast(1)
            ),
            Figure(
                bench: "request",
                name: "tracing on, against off",
                value: on / off,
                unit: "x",
                bar: .atMost(1.15)
            ),
        ]
    }

    private func requestFrames(_ address: SettingsGet.Request) -> (header: [UInt8], body: [UInt8]) {
        let header = RequestHeader(
            id: Identifier.make(wallMs: 0),
            route: SettingsGet.name,
            timeoutMs: 5_000,
            deadlineBootMs: 1_000_000,
            traceparent: TraceContext.fresh().traceparent
        )
        return (header.encoded(), address.encodedBody())
    }

    private func ask(_ endpoint: String, request: (header: [UInt8], body: [UInt8]), count: Int) -> [Int64] {
        var times = [Int64](repeating: 0, count: count)
        let done = st_baseline_ask(
            endpoint,
            request.header,
            request.header.count,
            request.body,
            request.body.count,
            &times,
            Int32(count)
        )
        return Array(times.prefix(Int(max(0, done))))
    }

    /// Calls on the bus thread, as a service calls another one.
    private func calls(_ client: BusClient, loop: BusLoop, address: SettingsGet.Request, count: Int)
        async throws
        -> [Int64]
    {
        try await Task(executorPreference: loop.thread) {
            var times: [Int64] = []
            times.reserveCapacity(count)
            for _ in 0..<count {
                let start = Stopwatch.nanoseconds()
                _ = try await client.call(SettingsGet.self, address)
                times.append(Stopwatch.nanoseconds() - start)
            }
            return times
        }.value
    }
}

/// A subscriber of a service's trace.
final class TraceListener: @unchecked Sendable {
    // @unchecked: the port is used on the bus thread only.
    private let loop: BusLoop
    private let endpoint: String
    private let seen = Mutex<[[UInt8]]>([])
    private var port: SubscriberPort?

    init(_ loop: BusLoop, _ endpoint: String) {
        self.loop = loop
        self.endpoint = endpoint
    }

    /// The spans. They are decoded only here, because the measured calls run on the receiving thread.
    var spans: [TraceSpan] { seen.withLock { $0 }.compactMap { try? TraceSpan.decodedBody($0) } }

    /// Returns once the service has accepted the subscription.
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
                        seen.withLock { $0 += frames.dropFirst(2).prefix(1) }
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
