import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Synchronization

/// What a person does near a crossing.
enum CrossingTurn: Sendable {
    /// Goes on; the agent says "still so" at the moment that it was given.
    case still
    /// Looks away so many milliseconds before, and comes back.
    case changeBefore(Int64)
    /// Looks away so many milliseconds after.
    case changeAfter(Int64)
    /// The same, and that is the first that the agent says of it.
    case changeInstead(Int64)
    /// The agent dies so many milliseconds before, and is started again when the services have given up on it.
    case dies(Int64)
}

/// The agent of one person, played on a thread of its own, which also computes for itself what is due when.
final class CrossingAgent: @unchecked Sendable {
    // @unchecked: everything is touched on its own thread only, and read while that has nothing to do.

    static let target = "org.example.watched"
    private static let other = "org.example.other"
    private static let thresholdMs: Int64 = 1_000
    /// Longer than the ledger believes a silent agent.
    private static let deadMs: Int64 = 15_200

    let person: String
    private let time = SystemTimeSource()
    private let peer: RawPeer
    private let thread: LoopThread
    private var random: SeededRandom
    private var run = TraceIdentifiers.span()
    private var sequence: Int64 = 0
    private var usedMs: Int64 = 0
    /// Since when what is watched is in front.
    private var sinceMs: Int64?
    /// The boot times at which one second more was used, as computed here.
    private(set) var due: [Int64] = []
    /// While it was dead nothing may be reported.
    private(set) var silences: [ClosedRange<Int64>] = []
    /// Moments at which it was asked to speak that were not those of the next crossing.
    private(set) var wrongChecks = 0

    init(_ person: String, _ endpoint: String, seed: UInt64) throws {
        self.person = person
        peer = try RawPeer(.dealer, endpoint)
        thread = try LoopThread(name: person)
        random = SeededRandom(seed: seed)
    }

    /// Plays what the person does, and leaves.
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
        // Not all at one moment.
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
            // On a machine that is late it may have been after it.
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
        // What could not be seen is not use.
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

    /// Nil: the person leaves.
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

    /// The whole arithmetic of a threshold, once more.
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

/// Follows the stream `activity`, and notes when each crossing arrived.
final class CrossingWitness: Sendable {
    struct Sighting: Sendable {
        var member: String
        var event: String
        var dueBootMs: Int64
        /// When it was heard, so after the commit and the publishing.
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

    /// Whether the publisher knows of it.
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
