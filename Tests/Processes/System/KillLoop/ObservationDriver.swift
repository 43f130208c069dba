import STContracts
import STPlatform
import STTestKit

/// Sends the observations of a plan as an agent does: several in progress, each repeated until it is acknowledged.
struct ObservationDriver {
    struct Figures {
        var acknowledged = 0
        var resends = 0
        /// Replies that the service had stored from an earlier arrival.
        var repeated = 0
        var refused: [String: Int] = [:]
    }

    private static let window = 32
    private static let silenceMs: Int64 = 400
    private static let patienceMs: Int64 = 60_000
    /// Problems after which an agent must retry.
    private static let passing: Set<String> = [
        "usage.out_of_order", "unavailable", "deadline.exceeded", "store.busy",
    ]

    private let plan: ObservationPlan
    private let peer: RawPeer
    private let durationMs: Int64
    private let startMs = Stopwatch.milliseconds()
    private var figures = Figures()
    /// The moment of the next attempt, by observation.
    private var underWay: [Int: Int64] = [:]
    private var requests: [Int: [[UInt8]]] = [:]
    private var next = 1
    private var progressMs = Stopwatch.milliseconds()

    /// Distributes the observations over the duration, so that some are always in progress during the trouble.
    init(_ plan: ObservationPlan, endpoint: String, durationMs: Int64) throws {
        self.plan = plan
        self.durationMs = durationMs
        peer = try RawPeer(.dealer, endpoint, queuesWithoutPeer: false)
    }

    /// Returns once every observation is acknowledged.
    mutating func run() throws -> Figures {
        defer { peer.close() }
        let count = plan.observations.count
        while figures.acknowledged < count {
            let nowMs = Stopwatch.milliseconds()
            try sendNew(nowMs)
            try sendAgain(nowMs)
            var waitMs: Int64 = 3
            while let frames = peer.receive(withinMs: waitMs) {
                try take(frames)
                waitMs = 0
            }
            guard nowMs - progressMs < Self.patienceMs else {
                throw Problem(
                    "test.stuck",
                    verbatim: "no acknowledgement for a minute: \(figures), under way \(underWay)"
                )
            }
        }
        return figures
    }

    private mutating func sendNew(_ nowMs: Int64) throws {
        let count = plan.observations.count
        let due = durationMs == 0 ? count : min(count, count * Int(nowMs - startMs) / Int(durationMs) + 1)
        while next <= due, underWay.count < Self.window, next - (underWay.keys.min() ?? next) < Self.window {
            let request = try plan.request(next)
            guard peer.send(request) else { return }
            requests[next] = request
            underWay[next] = nowMs + Self.silenceMs
            next += 1
        }
    }

    /// Sends in order, because an observation out of order is rejected.
    private mutating func sendAgain(_ nowMs: Int64) throws {
        for number in underWay.filter({ $0.value <= nowMs }).keys.sorted() {
            guard let request = requests[number], peer.send(request) else { return }
            underWay[number] = nowMs + Self.silenceMs
            figures.resends += 1
        }
    }

    private mutating func take(_ frames: [[UInt8]]) throws {
        guard let reply = RawReply(frames), let number = reply.header.id.flatMap(Int.init) else {
            throw Problem(
                "test.no_reply",
                verbatim: "no reply of ours: \(frames.map { String(decoding: $0, as: UTF8.self) })"
            )
        }
        guard reply.header.ok else { return try takeRefusal(number, reply) }
        let answer = try UsageObserve.Reply.decodedBody(reply.body)
        guard answer.acceptedThrough >= Int64(number) else {
            throw Problem("test.false_acknowledgement", verbatim: "\(number) was acknowledged with \(answer)")
        }
        guard underWay.removeValue(forKey: number) != nil else { return }
        requests[number] = nil
        figures.acknowledged += 1
        if reply.header.repeated { figures.repeated += 1 }
        progressMs = Stopwatch.milliseconds()
    }

    private mutating func takeRefusal(_ number: Int, _ reply: RawReply) throws {
        guard let problem = reply.problem, Self.passing.contains(problem.code) else {
            throw Problem(
                "test.refused",
                verbatim: "\(number) was refused: \(String(decoding: reply.body, as: UTF8.self))"
            )
        }
        figures.refused[problem.code, default: 0] += 1
        let nowMs = Stopwatch.milliseconds()
        if underWay[number] != nil { underWay[number] = nowMs + 20 }
        // The missing observation was lost with its process.
        if let expected = problem.details["expected"].flatMap(Int.init), underWay[expected] != nil {
            underWay[expected] = nowMs
        }
    }
}
