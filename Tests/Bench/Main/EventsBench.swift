import STBaseline
import STBus
import STContracts
import STEngine
import STPlatform
import STStore
import STZeroMQ

/// Measures the way from a request to the cursors of three subscribers. Everything is durable.
struct EventsBench {
    private static let subscribers = 3
    private static let perCommit: Int64 = 100

    private let scratch: BenchScratch
    private let total: Int64

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.scratch = scratch
        total = isShort ? 60_000 : 300_000
    }

    func run() async throws -> [Figure] {
        let raw = try baseline()
        try scratch.role(["--role", "publisher"])
        for number in 0..<Self.subscribers { try scratch.role(["--role", "subscriber", String(number)]) }
        let loop = try BusLoop()
        let directories = scratch.directories
        let client = BusClient(loop: loop) { try directories.endpoint(service: $0.rawValue, .rpc) }
        try await waitForAll(client, count: try await emit(client, events: 2_000))
        let start = Stopwatch.nanoseconds()
        let head = try await emit(client, events: total)
        let emitted = Stopwatch.nanoseconds()
        try await waitForAll(client, count: 2_000 + head)
        let end = Stopwatch.nanoseconds()
        let gaps = try await counter("gaps", client)
        await client.close()
        loop.stop()
        let rate = Double(total) / (Double(end - start) / 1e9)
        return [
            Figure(
                bench: "events",
                name: "plain libzmq to three, no disk, no decoding",
                value: raw,
                unit: "/s"
            ),
            Figure(
                bench: "events",
                name: "acknowledged to the sender",
                value: Double(total) / (Double(emitted - start) / 1e9),
                unit: "/s"
            ),
            Figure(
                bench: "events",
                name: "applied by all three",
                value: rate,
                unit: "/s",
                bar: .atLeast(30_000)
            ),
            Figure(bench: "events", name: "ratio to plain libzmq", value: rate / raw, unit: "x"),
            Figure(bench: "events", name: "holes filled from the log", value: Double(gaps), unit: ""),
        ]
    }

    /// Sends with two requests in progress: one in its commit and one waiting, so that a commit never contains more than one.
    private func emit(_ client: BusClient, events: Int64) async throws -> Int64 {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var sent: Int64 = 0
            while sent < events {
                if sent >= 2 * Self.perCommit { _ = try await group.next() }
                group.addTask {
                    _ = try await client.call(
                        BenchEmit.self,
                        to: BenchPublisher.name,
                        .init(count: Self.perCommit),
                        options: CallOptions(timeoutMs: 20_000)
                    )
                }
                sent += Self.perCommit
            }
            try await group.waitForAll()
            return sent
        }
    }

    private func waitForAll(_ client: BusClient, count: Int64) async throws {
        let expected = count * (count + 1) / 2
        let deadline = Stopwatch.milliseconds() + 60_000
        for number in 0..<Self.subscribers {
            while true {
                let reply = try await client.call(
                    BenchCount.self,
                    to: BenchSubscriber.name(number),
                    Empty(),
                    options: CallOptions(timeoutMs: 20_000)
                )
                if reply.count == count {
                    guard reply.sum == expected else {
                        throw Problem(
                            "bench.wrong_sum",
                            verbatim: "A subscriber applied the wrong events: \(reply)."
                        )
                    }
                    break
                }
                guard Stopwatch.milliseconds() < deadline, reply.count < count else {
                    throw Problem(
                        "bench.too_slow",
                        verbatim: "A subscriber has \(reply.count) of \(count) events."
                    )
                }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    private func counter(_ name: String, _ client: BusClient) async throws -> Int64 {
        var sum: Int64 = 0
        for number in 0..<Self.subscribers {
            let report = try await client.call(HealthReport.self, to: BenchSubscriber.name(number), Empty())
            sum += report.counters[name] ?? 0
        }
        return sum
    }

    private func baseline() throws -> Double {
        let endpoint = "ipc://\(scratch.directories.run)/baseline"
        let count = Int(total)
        let header = String(repeating: "h", count: 420)
        let body = String(decoding: try BenchEvent.Body(number: 1).encodedBody(), as: UTF8.self)
        try scratch.role([
            "--role", "publish", endpoint, String(Self.subscribers), String(count), header, body,
        ])
        for _ in 1..<Self.subscribers { try scratch.role(["--role", "collect", endpoint, String(count)]) }
        let elapsed = st_baseline_collect(endpoint, Int32(count))
        guard elapsed > 0 else {
            throw Problem("bench.baseline_failed", "The baseline did not receive everything.")
        }
        return Double(count) / (Double(elapsed) / 1e9)
    }
}

/// An event of about 300 bytes.
enum BenchEvent: EventType {
    struct Body: WireBody, Codable, Equatable {
        var number: Int64
        var app: String
        var member: String
        var presence: Presence
        var startMs: Int64
        var endMs: Int64
        var note: String

        private static let padding = String(repeating: "n", count: 150)

        init(number: Int64) {
            self.number = number
            app = "org.mozilla.firefox"
            member = "member"
            presence = .active
            startMs = 1_795_167_000_000 + number
            endMs = startMs + 1000
            note = Self.padding
        }
    }

    static let stream = StreamName("bench")
    static let type = "bench.event"
    static let summary = "for measuring"
}

enum BenchEmit: Route {
    struct Request: WireBody, Codable {
        var count: Int64
    }

    typealias Reply = Empty

    static let name = "bench.emit"
    static let kind = RouteKind.write
    static let summary = "Appends events."
}

enum BenchCount: Route {
    typealias Request = Empty

    struct Reply: WireBody, Codable {
        var count: Int64
        var sum: Int64
    }

    static let name = "bench.count"
    static let kind = RouteKind.read
    static let summary = "How many events were applied."
}

/// Appends the requested number of events in one commit.
enum BenchPublisher {
    static let name = ServiceName("bench-publisher")

    static func definition() -> ServiceDefinition<Int64> {
        ServiceDefinition(
            name: name,
            streams: [BenchEvent.stream],
            load: { _ in 0 },
            routes: [
                .write(BenchEmit.self) { state, request, _, change in
                    for _ in 0..<min(request.count, 100) {
                        state += 1
                        try change.emit(BenchEvent.self, subject: "event/\(state)", .init(number: state))
                    }
                    return Empty()
                }
            ]
        )
    }
}

/// Decodes every event and keeps a sum, so that no event can be skipped unnoticed.
enum BenchSubscriber {
    static func name(_ number: Int) -> ServiceName { ServiceName("bench-subscriber-\(number)") }

    static func definition(_ number: Int) -> ServiceDefinition<BenchSum> {
        ServiceDefinition(
            name: name(number),
            load: { _ in BenchSum() },
            routes: [.read(BenchCount.self) { state, _, _ in .init(count: state.count, sum: state.sum) }],
            subscriptions: [
                Subscription(
                    source: BenchPublisher.name,
                    stream: BenchEvent.stream,
                    reset: { state, _ in state = BenchSum() },
                    apply: { state, event, _ in
                        let body = try event.decoded(BenchEvent.self)
                        state.count += 1
                        state.sum += body.number
                    }
                )
            ]
        )
    }
}

struct BenchSum: Sendable {
    var count: Int64 = 0
    var sum: Int64 = 0
}
