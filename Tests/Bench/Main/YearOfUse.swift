import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// The same year of one person in each run: 365,000 changes of the foreground app, and 21,900 idle intervals.
struct YearOfUse {
    struct Stretch {
        var wallMs: Int64
        var presence: Presence
        var app: String?
        var domain: String?
    }

    /// 1 November 2025 in Berlin. In the following year the clocks are set twice.
    static let startWallMs: Int64 = 1_761_951_600_000
    static let endWallMs: Int64 = 1_793_487_600_000
    static let zone = "Europe/Berlin"
    /// A name that no member of the aged household has.
    static let member = "reader"
    static let bootId = "bench-year"

    private static let dayMs: Int64 = 86_400_000
    private static let changesPerDay = 1_000
    private static let idlesPerDay = 60
    private static let apps = 60
    private static let sites = 200

    /// The intervals in order. Each lasts until the next one, the last one until the end of the year.
    let stretches: [Stretch]

    init(days: Int = 365, seed: UInt64 = 20_261_120) {
        var random = SeededRandom(seed: seed)
        var all: [Stretch] = []
        all.reserveCapacity(days * (Self.changesPerDay + Self.idlesPerDay))
        for day in 0..<days { Self.day(Int64(day), all: &all, random: &random) }
        stretches = all
    }

    /// Adds a day from seven in the morning. The last idle interval lasts until the next morning.
    private static func day(_ day: Int64, all: inout [Stretch], random: inout SeededRandom) {
        var wallMs = startWallMs + day * dayMs + 7 * 3_600_000
        let perIdle = changesPerDay / idlesPerDay
        var left = changesPerDay
        for idle in 0..<idlesPerDay {
            let changes = idle == idlesPerDay - 1 ? left : perIdle
            left -= changes
            for _ in 0..<changes {
                all.append(next(wallMs, after: all.last?.app, &random))
                wallMs += Int64(random.number(2_000...70_000))
            }
            all.append(Stretch(wallMs: wallMs, presence: .idle))
            wallMs += Int64(random.number(60_000...400_000))
        }
    }

    /// Returns the next interval. A few apps are used much and many of them little. No app follows itself, because it would not be
    /// a change.
    private static func next(_ wallMs: Int64, after last: String?, _ random: inout SeededRandom) -> Stretch {
        while true {
            let part = Double(random.number(0...9_999)) / 10_000
            let number = Int(part * part * part * Double(apps))
            let app = number == 0 ? "org.mozilla.firefox" : "org.example.app\(number)"
            if app == last { continue }
            let site =
                number == 0 && random.number(0...3) > 0 ? "site\(random.number(1...sites)).example" : nil
            return Stretch(wallMs: wallMs, presence: .active, app: app, domain: site)
        }
    }

    func endMs(of index: Int) -> Int64 {
        index + 1 < stretches.count ? stretches[index + 1].wallMs : Self.endWallMs
    }

    /// Returns the expected sums of a report by app.
    func usedMs(from: Int64 = startWallMs, to: Int64 = endWallMs) -> [String: Int64] {
        var sums: [String: Int64] = [:]
        for (index, stretch) in stretches.enumerated() {
            guard stretch.presence == .active, let app = stretch.app else { continue }
            let ms = min(endMs(of: index), to) - max(stretch.wallMs, from)
            if ms > 0 { sums[app, default: 0] += ms }
        }
        return sums
    }

    func observation(_ index: Int) -> Observation {
        let stretch = stretches[index]
        let ms = stretch.wallMs - Self.startWallMs
        return Observation(
            sequence: Int64(index + 1),
            bootId: Self.bootId,
            at: TimeReading(wallMs: stretch.wallMs, bootMs: ms, monotonicMs: ms),
            zone: Self.zone,
            member: Self.member,
            presence: stretch.presence,
            app: stretch.app,
            domain: stretch.domain,
            unbroken: true
        )
    }
}

/// Sends observations one by one at a steady pace, and measures the time until each is acknowledged.
struct IngestPace {
    static let perSecond = 1_000

    let sender: ObservationSender
    let bootId: String

    func run(seconds: Int) throws -> Measurement {
        let count = seconds * Self.perSecond
        let startNs = Stopwatch.nanoseconds()
        let stepNs = Int64(1_000_000_000 / Self.perSecond)
        var sentNs: [Int64] = []
        var times = Measurement()
        var answered = 0
        while answered < count {
            let now = Stopwatch.nanoseconds()
            if sentNs.count < count, now >= startNs + Int64(sentNs.count) * stepNs {
                let frames = try sender.frames([observation(sentNs.count)])
                sentNs.append(Stopwatch.nanoseconds())
                guard sender.peer.send(frames, withinMs: 10_000) else {
                    throw ObservationSender.failed("not taken")
                }
                continue
            }
            // A service answers one sender in order.
            guard let frames = sender.peer.receive(withinMs: sentNs.count < count ? 1 : 30_000) else {
                guard sentNs.count < count else { throw ObservationSender.failed("not answered") }
                continue
            }
            times.add([Stopwatch.nanoseconds() - sentNs[answered]])
            if let problem = RawReply(frames)?.problem { throw problem }
            answered += 1
        }
        return times
    }

    /// Returns an observation with a new foreground app, which causes a row and two events.
    private func observation(_ number: Int) -> Observation {
        let ms = Int64(number) * 1_000
        return Observation(
            sequence: Int64(number + 1),
            bootId: bootId,
            at: TimeReading(wallMs: YearOfUse.endWallMs + ms, bootMs: ms, monotonicMs: ms),
            zone: YearOfUse.zone,
            member: YearOfUse.member,
            presence: .active,
            app: "org.example.app\(number % 7)",
            unbroken: true
        )
    }
}

/// Sends observations to activity-center over a plain socket.
struct ObservationSender {
    let peer: RawPeer
    let run: String

    func frames(_ observations: [Observation]) throws -> [[UInt8]] {
        let body = UsageObserve.Request(agent: "bench-agent", run: run, observations: observations)
        let header = RequestHeader(
            id: "\(run)-\(observations.first?.sequence ?? 0)",
            route: UsageObserve.name,
            timeoutMs: 30_000,
            traceparent: TraceContext.fresh().traceparent
        )
        return [header.encoded(), try body.encodedBody()]
    }

    /// Sends `count` observations in full batches. `observation` makes the one with a given number.
    func sendAll(_ count: Int, _ observation: (Int) -> Observation) throws {
        let per = UsageObserve.batchMax
        let window = 4
        var underWay = 0
        for start in stride(from: 0, to: count, by: per) {
            let batch = (start..<min(start + per, count)).map(observation)
            guard peer.send(try frames(batch), withinMs: 10_000) else { throw Self.failed("not taken") }
            underWay += 1
            if underWay == window {
                try takeAnswer()
                underWay -= 1
            }
        }
        for _ in 0..<underWay { try takeAnswer() }
    }

    func takeAnswer() throws {
        guard let frames = peer.receive(withinMs: 30_000), let reply = RawReply(frames) else {
            throw Self.failed("not answered")
        }
        if let problem = reply.problem { throw problem }
    }

    static func failed(_ what: String) -> Problem {
        Problem("bench.failed", verbatim: "It did not work: \(what).")
    }
}
