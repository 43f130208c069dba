import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Synchronization

/// The actions of a person near a crossing of a threshold.
enum CrossingTurn: Sendable {
    /// Continues. The agent reports "still so" at the requested moment.
    case still
    /// Looks away this many milliseconds before the crossing, and returns.
    case changeBefore(Int64)
    /// Looks away this many milliseconds after the crossing.
    case changeAfter(Int64)
    /// Looks away after the crossing, and this is the agent's first report about it.
    case changeInstead(Int64)
    /// The agent dies this many milliseconds before the crossing. It is started again after the services have given up on it.
    case dies(Int64)
}

/// The agent of one person, played on its own thread. It also computes the expected crossings itself.
final class CrossingAgent: @unchecked Sendable {
    // @unchecked: everything is used on its own thread only, and read while that thread is idle.

    static let target = "org.example.watched"
    private static let other = "org.example.other"
    private static let thresholdMs: Int64 = 1_000
    /// Longer than the time for which the ledger continues usage of a silent agent.
    private static let deadMs: Int64 = 15_200

    let person: String
    private let time = SystemTimeSource()
    private let peer: RawPeer
    private let thread: LoopThread
    private var random: SeededRandom
    private var run = TraceIdentifiers.span()
    private var sequence: Int64 = 0
    private var usedMs: Int64 = 0
    /// The moment since which the watched app is in the foreground.
    private var sinceMs: Int64?
    /// The boot times of each further second of usage, as computed here.
    private(set) var due: [Int64] = []
    /// The intervals in which the agent was dead. Nothing may be reported in them.
    private(set) var silences: [ClosedRange<Int64>] = []
    /// Number of requested reports at other moments than the next crossing.
    private(set) var wrongChecks = 0

    init(_ person: String, _ endpoint: String, seed: UInt64) throws {
        self.person = person
        peer = try RawPeer(.dealer, endpoint)
        thread = try LoopThread(name: person)
        random = SeededRandom(seed: seed)
    }

    /// Plays the turns of the person, then leaves.
    func play(_ turns: [CrossingTurn]) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            thread.post { [self] in done.resume(with: Result { try live(turns) }) }
        }
    }

    func close() {
        thread.stop()
        thread.join()
        peer.close()
    }

    private func live(_ turns: [CrossingTurn]) throws {
        // Distribute the agents in time.
        wait(untilBootMs: Stopwatch.bootMilliseconds() + Int64(random.number(0...999)))
        var check = try ask(Self.target)
        for turn in turns {
            guard let at = check else { throw failed("the agent of \(person) did not learn when to speak") }
            if let sinceMs, at != sinceMs + Int64(due.count + 1) * Self.thresholdMs - usedMs {
                wrongChecks += 1
            }
            check = try pass(turn, at)
        }
        _ = try ask(nil)
    }

    private func pass(_ turn: CrossingTurn, _ at: Int64) throws -> Int64? {
        switch turn {
        case .still:
            wait(untilBootMs: at)
            return try ask(Self.target)
        case .changeBefore(let ms):
            wait(untilBootMs: at - ms)
            _ = try ask(Self.other)
            let back = try comeBack()
            // On a slow machine the return may have been after the crossing.
            guard let back, (due.last ?? 0) < at else { return back }
            wait(untilBootMs: back)
            return try ask(Self.target)
        case .changeAfter(let ms):
            wait(untilBootMs: at)
            try say(Self.target)
            wait(untilBootMs: at + ms)
            try say(Self.other)
            _ = try hear()
            _ = try hear()
            return try comeBack()
        case .changeInstead(let ms):
            wait(untilBootMs: at + ms)
            _ = try ask(Self.other)
            return try comeBack()
        case .dies(let ms):
            wait(untilBootMs: at - ms)
            _ = try ask(Self.target)
            return try comeBackToLife()
        }
    }

    private func comeBack() throws -> Int64? {
        wait(untilBootMs: Stopwatch.bootMilliseconds() + Int64(random.number(20...200)))
        return try ask(Self.target)
    }

    private func comeBackToLife() throws -> Int64? {
        let from = Stopwatch.bootMilliseconds()
        wait(untilBootMs: from + Self.deadMs)
        silences.append(from...Stopwatch.bootMilliseconds() - 1)
        // Time that was not observed is not usage.
        sinceMs = nil
        run = TraceIdentifiers.span()
        sequence = 0
        guard let at = try ask(Self.target) else { return nil }
        wait(untilBootMs: at)
        return try ask(Self.target)
    }

    // MARK: - Speaking

    private func ask(_ app: String?) throws -> Int64? {
        try say(app)
        return try hear()
    }

    /// Reports the foreground app. `nil` means that the person leaves.
    private func say(_ app: String?) throws {
        let now = time.now()
        count(to: now.bootMs, isWatched: app == Self.target)
        sequence += 1
        let seen = Observation(
            sequence: sequence,
            bootId: time.bootID,
            at: now,
            zone: "UTC",
            member: person,
            presence: app == nil ? .idle : .active,
            app: app
        )
        let request = UsageObserve.Request(agent: "agent-of-\(person)", run: run, observations: [seen])
        let header = RequestHeader(id: "\(run)-\(sequence)", route: UsageObserve.name, timeoutMs: 5_000)
        guard peer.send([header.encoded(), try request.encodedBody()], withinMs: 5_000) else {
            throw failed("activity-center did not take what the agent of \(person) said")
        }
    }

    private func hear() throws -> Int64? {
        guard let frames = peer.receive(withinMs: 10_000), let reply = RawReply(frames) else {
            throw failed("\(person)'s agent got no answer")
        }
        if let problem = reply.problem { throw problem }
        return try UsageObserve.Reply.decodedBody(reply.body).checkAt
    }

    /// Computes the crossings again, independently of activity-center.
    private func count(to bootMs: Int64, isWatched: Bool) {
        if let sinceMs {
            var next = sinceMs + Int64(due.count + 1) * Self.thresholdMs - usedMs
            while next <= bootMs {
                due.append(next)
                next += Self.thresholdMs
            }
            usedMs += bootMs - sinceMs
        }
        sinceMs = isWatched ? bootMs : nil
    }

    private func wait(untilBootMs ms: Int64) {
        var at = timespec(tv_sec: Int(ms / 1000), tv_nsec: Int(ms % 1000) * 1_000_000)
        while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &at, nil) == EINTR {}
    }

    private func failed(_ what: String) -> Problem {
        Problem("bench.failed", verbatim: "It did not work: \(what).")
    }
}

/// A subscriber of the stream `activity` that records the arrival of each crossing.
final class CrossingWitness: Sendable {
    struct Sighting: Sendable {
        var member: String
        var event: String
        var dueBootMs: Int64
        /// The moment of its arrival, which is after the commit and the publishing.
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

    /// True if the publisher has accepted the subscription.
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
