import Synchronization

/// The machine's clocks, with a wall clock that a person cannot move.
///
/// A person could gain time by setting the clock forward and back. Therefore wall time is computed from boot time, which no program
/// can set, and an anchor. The anchor is the last moment at which the kernel reported its clock as synchronised, or at which a
/// guardian accepted the clock. Only the process `activity-center` writes the anchor's file. All others read it.
package final class TrustedTimeSource: TimeSource {
    /// A moment on both clocks, from which the true time of every other moment of the same boot follows.
    private struct Anchor {
        var bootID: String
        var bootMs: Int64
        var wallMs: Int64

        init(_ reading: TimeReading, _ bootID: String) {
            self.bootID = bootID
            bootMs = reading.bootMs
            wallMs = reading.wallMs
        }

        /// Reads a file. Fails if there is no valid anchor.
        init?(at path: String) {
            guard let bytes = try? AtomicFile.read(path, limitBytes: 256) else { return nil }
            let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard words.count == 3, let bootMs = Int64(words[1]), let wallMs = Int64(words[2]),
                Anchor.times.contains(bootMs), Anchor.times.contains(wallMs)
            else { return nil }
            bootID = String(words[0])
            self.bootMs = bootMs
            self.wallMs = wallMs
        }

        /// Up to the year 2200, so that sums do not overflow.
        private static let times: ClosedRange<Int64> = 0...7_258_118_400_000

        func write(to path: String) throws {
            try AtomicFile.write(Array("\(bootID) \(bootMs) \(wallMs)\n".utf8), to: path, durable: false)
        }

        func wall(at boot: BootTime) -> WallTime { WallTime(ms: wallMs) + (boot - BootTime(ms: bootMs)) }
    }

    /// Smaller differences, such as a leap second, are accepted. They do not add up.
    private static let tolerance = Duration.seconds(1)
    private static let checkInterval = Duration.seconds(1)
    /// The interval at which the keeper saves the time, in case the machine starts with a dead battery.
    private static let saveInterval = Duration.seconds(60)

    private let base: any TimeSource
    private let path: String
    private let writesAnchor: Bool
    private let anchor: Mutex<Anchor?>
    /// The boot time at which a reader without an anchor last read the file.
    private let lastCheckMs = Atomic<Int64>(.min)
    /// The real time at which a reader last read the file, or the keeper last wrote it.
    private let lastCheckRealMs = Atomic<Int64>(.min)

    /// Reads the anchor. Until one exists, the machine's own clock is used.
    package init(_ base: any TimeSource, reading path: String) {
        self.base = base
        self.path = path
        writesAnchor = false
        anchor = Mutex(nil)
    }

    /// Keeps and writes the anchor.
    package init(_ base: any TimeSource, keeping path: String) {
        self.base = base
        self.path = path
        writesAnchor = true
        var first = Anchor(base.now(), base.bootID)
        if let last = Anchor(at: path) {
            if last.bootID == first.bootID {
                first = last
            } else if !base.isSynchronised {
                // Only the wall clock measures the time while the machine was off. With a dead battery it shows an earlier time
                // than the anchor.
                first.wallMs = max(first.wallMs, last.wallMs)
            }
        }
        // A full disk must not prevent a service from starting. The next attempt to write is a minute later.
        try? first.write(to: path)
        anchor = Mutex(first)
    }

    package func now() -> TimeReading { check().now }

    package var clockOffsetMs: Int64 { check().aside.ms }

    package var bootID: String { base.bootID }

    package func zone() -> String { base.zone() }

    package var isSynchronised: Bool { base.isSynchronised }

    package var virtual: VirtualTimeSource? { base.virtual }

    package func sleep(untilBootMs: Int64) async throws { try await base.sleep(untilBootMs: untilBootMs) }

    /// Accepts the machine's clock because a guardian has confirmed it. Only for the keeper.
    package func acceptClock() throws { try anchor.withLock { try saveAnchor(base.now(), &$0) } }

    private func check() -> (now: TimeReading, aside: Duration) {
        let reading = base.now()
        return anchor.withLock { anchor in
            if writesAnchor { return updateAnchor(reading, &anchor) }
            let before = Self.compare(reading, anchor)
            guard anchor == nil ? isCheckDue(reading) : before.aside != .zero else { return before }
            // The keeper may have accepted the clock since this process read the anchor.
            anchor = Anchor(at: path).flatMap { $0.bootID == base.bootID ? $0 : nil } ?? anchor
            return Self.compare(reading, anchor)
        }
    }

    /// True if enough time has passed since the last look. A virtual clock may stand still while the keeper starts, or skip days in
    /// a moment.
    private func isCheckDue(_ reading: TimeReading) -> Bool {
        let realMs = Stopwatch.milliseconds()
        let last = lastCheckMs.load(ordering: .relaxed)
        let lastRealMs = lastCheckRealMs.load(ordering: .relaxed)
        guard
            last == .min || reading.bootMs - last >= Self.checkInterval.ms
                || realMs - lastRealMs >= Self.checkInterval.ms
        else { return false }
        lastCheckMs.store(reading.bootMs, ordering: .relaxed)
        lastCheckRealMs.store(realMs, ordering: .relaxed)
        return true
    }

    private func updateAnchor(_ reading: TimeReading, _ anchor: inout Anchor?) -> (
        now: TimeReading, aside: Duration
    ) {
        let found = Self.compare(reading, anchor)
        let isOld = anchor.map { reading.bootMs - $0.bootMs >= Self.saveInterval.ms } ?? true
        guard isOld || found.aside != .zero else { return found }
        if base.isSynchronised {
            try? saveAnchor(reading, &anchor, isPressing: found.aside != .zero)
            return (reading, .zero)
        }
        if isOld, let known = anchor {
            var natural = reading
            natural.wallMs = known.wall(at: reading.boot).ms
            try? saveAnchor(natural, &anchor, isPressing: false)
        }
        return found
    }

    /// Replaces the anchor and writes it. A virtual clock passes many minutes in a moment, so a write that tells readers nothing
    /// new happens at most once a second.
    private func saveAnchor(_ reading: TimeReading, _ anchor: inout Anchor?, isPressing: Bool = true) throws {
        let new = Anchor(reading, base.bootID)
        anchor = new
        let realMs = Stopwatch.milliseconds()
        let lastMs = lastCheckRealMs.load(ordering: .relaxed)
        guard isPressing || lastMs == .min || realMs - lastMs >= Self.checkInterval.ms else { return }
        lastCheckRealMs.store(realMs, ordering: .relaxed)
        try new.write(to: path)
    }

    private static func compare(_ reading: TimeReading, _ anchor: Anchor?) -> (
        now: TimeReading, aside: Duration
    ) {
        guard let anchor else { return (reading, .zero) }
        var now = reading
        now.wallMs = anchor.wall(at: reading.boot).ms
        let aside = reading.wall - now.wall
        return aside > tolerance || aside < .zero - tolerance ? (now, aside) : (reading, .zero)
    }

    package func makeWaker(_ callbacks: DeadlineCallbacks) throws(Problem) -> any DeadlineWaker {
        try TrustedTimeWaker(self, callbacks: callbacks) { callbacks throws(Problem) in
            try base.makeWaker(callbacks)
        }
    }
}

/// Rings at moments of true time, even while the machine's wall clock shows another time.
private final class TrustedTimeWaker: DeadlineWaker {
    private struct State {
        var due = Deadlines()
        var waker: (any DeadlineWaker)?
    }

    /// While the clock is not accepted, an alarm checks at this interval if it was accepted meanwhile.
    private static let checkInterval = Duration.seconds(300)

    private let time: TrustedTimeSource
    private let callbacks: DeadlineCallbacks
    private let state = Mutex(State())

    init(
        _ time: TrustedTimeSource,
        callbacks: DeadlineCallbacks,
        make: (DeadlineCallbacks) throws(Problem) -> any DeadlineWaker
    ) throws(Problem) {
        self.time = time
        self.callbacks = callbacks
        let inner = try make(
            DeadlineCallbacks(thread: callbacks.thread) { [weak self] in
                self?.deadlineDidFire()
            } step: { [weak self] in
                self?.clockDidStep()
            }
        )
        state.withLock { $0.waker = inner }
    }

    func set(_ due: Deadlines) {
        state.withLock {
            $0.due = due
            arm($0)
        }
    }

    func close() { state.withLock { $0.waker?.close() } }

    private func arm(_ state: borrowing State) {
        var due = state.due
        if let wallMs = due.wallMs, time.clockOffsetMs != 0 {
            let now = time.now()
            let look = Deadlines(bootMs: now.bootMs + min(wallMs - now.wallMs, Self.checkInterval.ms))
            due = Deadlines(bootMs: due.bootMs).merged(with: look)
        }
        state.waker?.set(due)
    }

    private func deadlineDidFire() {
        let isDue = state.withLock { state in
            guard state.due.isDue(at: time.now()) else {
                arm(state)
                return false
            }
            state.due = Deadlines()
            return true
        }
        if isDue { callbacks.onDeadline() }
    }

    private func clockDidStep() {
        state.withLock { arm($0) }
        callbacks.onClockStep()
    }
}
