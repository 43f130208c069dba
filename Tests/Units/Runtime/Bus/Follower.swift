import STBus
import STContracts
import STPlatform

/// A `FollowerMachine` whose effects are returned as text, with helpers that create the log's replies.
struct Follower {
    static let stream = StreamName("usage")

    var machine: FollowerMachine
    var now = BootTime(ms: 0)

    init(at sequence: Int64? = nil, epoch: String = "e", isRebuilding: Bool = false) {
        machine = FollowerMachine(
            stream: Self.stream,
            cursor: sequence.map { Self.point($0, epoch: epoch) },
            isRebuilding: isRebuilding,
            now: BootTime(ms: 0)
        )
    }

    static func id(_ sequence: Int64, _ log: String = "") -> String { "\(log)\(sequence)" }

    static func point(_ sequence: Int64, epoch: String = "e", log: String = "") -> StreamPoint {
        StreamPoint(
            stream: stream.rawValue,
            epoch: epoch,
            sequence: sequence,
            id: sequence == 0 ? nil : id(sequence, log)
        )
    }

    /// `log` distinguishes events of a restored log, which has the same epoch and numbers as the log before it.
    static func event(_ sequence: Int64, epoch: String = "e", log: String = "", after: String? = nil)
        -> WireEvent
    {
        WireEvent(
            header: EventHeader(
                id: id(sequence, log),
                source: "/test/auth-service",
                type: "usage.test",
                timeMs: 0,
                subject: "s",
                schema: 1,
                stream: stream,
                epoch: epoch,
                sequence: sequence,
                previous: sequence > 1 ? id(sequence - 1, after ?? log) : nil,
                traceparent: nil,
                cause: nil
            ),
            body: Array("{}".utf8)
        )
    }

    mutating func handle(_ input: FollowerMachine.Input) -> [String] {
        machine.handle(input, now: now).map(Self.text)
    }

    mutating func event(_ sequence: Int64, epoch: String = "e", log: String = "", after: String? = nil)
        -> [String]
    {
        handle(.event(Self.event(sequence, epoch: epoch, log: log, after: after)))
    }

    mutating func head(_ sequence: Int64, epoch: String = "e", log: String = "")
        -> [String]
    {
        handle(.head(Self.point(sequence, epoch: epoch, log: log)))
    }

    mutating func page(_ range: ClosedRange<Int64>?, head: Int64, epoch: String = "e", next: String? = nil)
        -> [String]
    {
        let events = range.map { $0.map { Self.event($0, epoch: epoch) } } ?? []
        return handle(.page(EventPage(head: Self.point(head, epoch: epoch), events: events, next: next)))
    }

    mutating func failed(_ code: String) -> [String] { handle(.pageFailed(Problem(code, "no"))) }

    /// Advances the time to the machine's next deadline and handles it.
    mutating func wake() -> [String] {
        now = machine.next
        return handle(.tick)
    }

    private static func text(_ effect: FollowerMachine.Effect) -> String {
        switch effect {
        case .fetch(let after): "fetch \(after.map { "\($0.sequence)" } ?? "all")"
        case .fetchSnapshot(let next): "snapshot \(next ?? "first")"
        case .apply(let events): "apply \(span(events))"
        case .applySnapshot(let events, let isFirst, let cursor):
            "restore \(span(events))\(isFirst ? " first" : "")\(cursor.map { " to \($0.sequence)" } ?? "")"
        case .lost(let loss): "lost \(loss.kept + 1)-\(loss.promised)"
        case .dropped(_, let reason): reason
        case .gap(let from, let to): "gap \(from)-\(to)"
        }
    }

    private static func span(_ events: [WireEvent]) -> String {
        let numbers = events.map(\.header.sequence)
        guard let first = numbers.first, let last = numbers.last else { return "nothing" }
        return first == last ? "\(first)" : "\(first)-\(last)"
    }
}
