import STContracts
import STEngine
import STStore

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

/// Appends as many events as it is asked for, in one commit.
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

/// Decodes every event and keeps a sum, so that nothing can be skipped unnoticed.
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
