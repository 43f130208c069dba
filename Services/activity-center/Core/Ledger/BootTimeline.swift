package import STContracts
import STPlatform

/// The time of one member during one boot of the machine, merged from the reports of all agents of this device.
///
/// Pure. At each moment one agent holds the lane: the active agent with the latest input. The reports of the others do not count.
/// Durations come from boot time only. Time without a report of the holder is `unobserved`, and time in which the machine slept is
/// `suspended`, even if no agent reports it. If the holder reports that the member has left, the lane takes back the time since the
/// last input, because it was not use.
package struct BootTimeline: Sendable, Equatable, Codable {
    /// The segment under way. It ends at the latest report.
    package private(set) var open: Segment
    package private(set) var seats: [String: AgentState]
    /// Segments that ended after the last input and may still be taken back. For example, a shield covered the app, or the program
    /// exited. `nil` if there are none.
    private var untouched: [Segment]?
    /// The largest difference between boot time and monotonic time so far.
    ///
    /// The two clocks are not read at the same instant, so the difference may appear smaller for a moment. It never shrinks.
    package private(set) var suspendedMs: Int64
    /// The wall time minus the boot time, at the last report.
    private var offsetMs: Int64
    /// The boot time up to which the stream has announced the open segment.
    private var toldBootMs: Int64
    /// The `busy` field of the holder's last report: a film or a call. `nil` if the report had no such field.
    private var isBusy: Bool?

    package var bootId: String { open.bootId }
    package var held: [Segment] { untouched ?? [] }

    /// Begins with the first observation.
    init(_ words: AgentObservation, _ category: (String?, String?) -> String?) {
        let seen = words.observation
        open = Segment(
            words,
            seat: AgentState(seen, run: words.run, after: nil),
            at: seen.reading.boot,
            category
        )
        seats = [words.agent: AgentState(seen, run: words.run, after: nil)]
        suspendedMs = seen.reading.suspendedMs
        offsetMs = seen.wallMs - seen.bootMs
        toldBootMs = seen.bootMs
        isBusy = seen.busy
    }

    mutating func apply(_ words: AgentObservation, _ category: (String?, String?) -> String?) throws
        -> TimelineChanges
    {
        let seen = words.observation
        let before = seats[words.agent]
        if let before, seen.bootMs < before.heardBootMs {
            // An earlier run of the same agent reports late: a newer run has already reported later moments.
            guard before.run == words.run else { return TimelineChanges(isLate: true) }
            throw Self.timeBackwards(from: before.heardBootMs, to: seen.bootMs)
        }
        var news = TimelineChanges(isLate: seen.reading.boot < open.endBoot)
        let now = max(seen.reading.boot, open.endBoot)
        let holder = open.agent
        let heard = seats[holder]?.heard ?? open.endBoot
        seats[words.agent] = AgentState(seen, run: words.run, after: before)
        let awake = Duration.milliseconds(seen.monotonicMs) + (now - seen.reading.boot)
        guard let next = nextAgent(after: words.agent, awake: awake), let seat = seats[next]
        else { return news }
        // The report applies from now on.
        defer { isBusy = next == words.agent ? seen.busy : nil }

        let slept = news.isLate ? .zero : newSuspension(seen, now)
        let isBlind =
            open.presence == .active && now - slept > open.endBoot
            && isGap(words, after: before, silence: now - slept - heard)
        suspendedMs = max(suspendedMs, seen.reading.suspendedMs)
        let offset = news.isLate ? offsetMs : seen.wallMs - seen.bootMs
        let step = offset - offsetMs
        let isStepped = abs(step) > Timeline.step.ms
        offsetMs = offset
        let isKnown = next == holder && words.agent == holder && slept == .zero && !isBlind && !news.isLate
        let touched = isKnown ? seen.inputBootMs.map { BootTime(ms: $0) } : nil
        let hasLeft = touched != nil && seat.presence == .idle && open.presence == .active
        var settled = BootTime.distantFuture
        if let touched, seat.presence == .active { settled = touched + Timeline.touchEffect }
        if !hasLeft { closeHeld(through: settled, &news) }
        if next == holder, slept == .zero, !isBlind, !isStepped, open.matches(seat, zone: seen.zone) {
            extend(to: now, &news)
            return news
        }
        var beginning = now
        if hasLeft, let touched {
            beginning = retract(since: max(touched, now - Timeline.retractionMax), &news)
        }
        close(at: isBlind ? open.endBoot : beginning - slept, settlingThrough: settled, &news)
        var parts = 0
        func begin(_ seat: AgentState, at boot: BootTime) -> Segment {
            var segment = Segment(words, seat: seat, holder: next, at: boot, part: parts, category)
            segment.startWallMs = boot.ms + offset
            if parts == 0, isStepped { segment.stepMs = step }
            parts += 1
            return segment
        }
        if isBlind {
            let isUse = words.countsGaps && now - slept - open.endBoot <= Timeline.countedGapMax
            let presence: Presence = isUse ? .active : .unobserved
            let gap = begin(seat, at: open.endBoot)
            appendGap(gap, presence: presence, knownBy: .silence, to: now - slept, news: &news)
        }
        if slept > .zero {
            let gap = begin(seat, at: now - slept)
            appendGap(gap, presence: .suspended, knownBy: .clocks, to: now, news: &news)
        }
        open = begin(seat, at: beginning)
        emitUsage(to: now, &news)
        open.endBootMs = now.ms
        toldBootMs = now.ms
        news.outputs.append(.opened(open))
        return news
    }

    private static func timeBackwards(from: Int64, to: Int64) -> Problem {
        Problem(
            "usage.time_backwards",
            """
            Boot time went backwards from \(from, "from") to \(to, "to"), although this computer was not \
            restarted.
            """,
            field: "/observations/boot_ms"
        )
    }

    /// Returns true if the foreground app since the holder's last report is unknown.
    private func isGap(_ words: AgentObservation, after before: AgentState?, silence: Duration) -> Bool {
        guard words.agent == open.agent else { return silence > Timeline.silence }
        if words.observation.unbroken == true { return false }
        // An agent that exits normally reports `unobserved` first.
        let hasDied = words.countsGaps && before.map { $0.run != words.run } ?? false
        return hasDied || silence > Timeline.silence
    }

    mutating func dropStaleSeats() {
        seats = seats.filter { name, seat in
            name == open.agent || open.endBoot - seat.heard <= Timeline.silence
        }
    }

    /// Returns the agent that holds the lane from now on, or nil if the report changes nothing for the member.
    private func nextAgent(after agent: String, awake: Duration) -> String? {
        let holder = open.agent
        var best: (name: String, input: BootTime)?
        for (name, seat) in seats {
            guard seat.presence == .active, awake - .milliseconds(seat.heardAwakeMs) <= Timeline.silence
            else {
                continue
            }
            guard let found = best else {
                best = (name, seat.input)
                continue
            }
            // Among equals the holder keeps the lane; otherwise the name decides.
            let isBefore =
                seat.input != found.input
                ? seat.input > found.input
                : name == holder || (found.name != holder && name < found.name)
            if isBefore { best = (name, seat.input) }
        }
        guard let best else { return agent == holder ? holder : nil }
        return best.name == holder && agent != holder ? nil : best.name
    }

    private func newSuspension(_ seen: Observation, _ now: BootTime) -> Duration {
        // The agent has reported the sleep itself.
        guard open.presence != .suspended else { return .zero }
        let grown = Duration.milliseconds(seen.reading.suspendedMs - suspendedMs)
        return grown > Timeline.readingTolerance ? min(grown, now - open.endBoot) : .zero
    }

    private mutating func extend(to boot: BootTime, _ news: inout TimelineChanges) {
        emitUsage(to: boot, &news)
        open.endBootMs = boot.ms
        guard boot.ms - toldBootMs >= SegmentOpened.everyMs else { return }
        toldBootMs = boot.ms
        news.outputs.append(.extended(open))
    }

    private mutating func close(
        at boot: BootTime,
        settlingThrough settled: BootTime,
        _ news: inout TimelineChanges
    ) {
        emitUsage(to: boot, &news)
        open.endBootMs = boot.ms
        untouched = held + [open]
        if held.count > Timeline.heldMax { closeHeld(through: held[0].endBoot, &news) }
        closeHeld(through: open.presence == .active ? settled : .distantFuture, &news)
        if !held.isEmpty { news.outputs.append(.extended(open)) }
    }

    /// Closes the held segments that end by this moment. Later input has shown that they were use.
    private mutating func closeHeld(through boot: BootTime, _ news: inout TimelineChanges) {
        let settled = held.prefix { $0.endBoot <= boot }
        news.outputs += settled.map { .closed($0) }
        let left = held.dropFirst(settled.count)
        untouched = left.isEmpty ? nil : Array(left)
    }

    /// Takes back the use since a moment. Returns the boot time at which the remaining use ends.
    private mutating func retract(since boot: BootTime, _ news: inout TimelineChanges) -> BootTime {
        let end = max(boot, held.first?.startBoot ?? open.startBoot)
        func cut(_ segment: Segment) -> Segment {
            guard segment.endBoot > end else { return segment }
            var kept = segment
            let from = max(end, segment.startBoot)
            news.outputs.append(.retracted(UsageInterval(segment, from: from, to: segment.endBoot)))
            // A segment of which nothing remains gets the length 0 at the cut, because each opened segment must be closed.
            kept.startWallMs = (segment.startWall - (from - end)).ms
            kept.startBootMs = min(segment.startBoot, end).ms
            kept.endBootMs = end.ms
            return kept
        }
        untouched = held.map(cut)
        open = cut(open)
        return max(open.endBoot, end)
    }

    private func emitUsage(to boot: BootTime, _ news: inout TimelineChanges) {
        guard boot > open.endBoot else { return }
        var stretch = UsageInterval(open, from: open.endBoot, to: boot)
        stretch.isBusy = isBusy == true
        news.outputs.append(.counted(stretch))
    }

    private func appendGap(
        _ begun: Segment,
        presence: Presence,
        knownBy: SegmentProvenance,
        to boot: BootTime,
        news: inout TimelineChanges
    ) {
        var gap = begun
        gap.presence = presence
        gap.knownBy = knownBy
        gap.app = presence == .active ? UsageObserve.unseenApp : nil
        gap.domain = nil
        gap.category = nil
        gap.shielded = nil
        gap.endBootMs = boot.ms
        news.outputs.append(.counted(UsageInterval(gap)))
        news.outputs.append(.closed(gap))
    }
}

/// The last report of one agent.
package struct AgentState: Sendable, Equatable, Codable {
    package var run: String
    package var sequence: Int64
    package var presence: Presence
    package var app: String?
    package var domain: String?
    /// True if an active member looked at a shield.
    package var shielded: Bool?
    /// The boot time of the report.
    package var heardBootMs: Int64
    /// The monotonic time of the report. It stops while the machine sleeps, so that a sleep does not count as silence.
    package var heardAwakeMs: Int64
    /// The boot time of the last input. If the agent cannot report it, the moment at which the member became active.
    package var inputBootMs: Int64

    var heard: BootTime { BootTime(ms: heardBootMs) }
    var input: BootTime { BootTime(ms: inputBootMs) }

    init(_ seen: Observation, run: String, after before: AgentState?) {
        self.run = run
        sequence = seen.sequence
        presence = seen.presence
        app = seen.app
        domain = seen.domain
        shielded = seen.shielded == true && seen.presence == .active ? true : nil
        heardBootMs = seen.bootMs
        heardAwakeMs = seen.monotonicMs
        let turnsUp = seen.presence == .active && before?.presence != .active
        inputBootMs = seen.inputBootMs ?? (turnsUp ? seen.bootMs : before?.inputBootMs ?? seen.bootMs)
    }
}

extension Segment {
    /// Creates a segment that begins at a moment, with the holder's last report.
    ///
    /// Its name comes from the observation that led to it, which may be another agent's. No two segments have the same name.
    init(
        _ words: AgentObservation,
        seat: AgentState,
        holder: String? = nil,
        at boot: BootTime,
        part: Int = 0,
        _ category: (String?, String?) -> String?
    ) {
        let seen = words.observation
        self.init(
            segment: "\(words.agent)/\(words.run)/\(seen.sequence)\(part == 0 ? "" : "/\(part)")",
            agent: holder ?? words.agent,
            run: seat.run,
            sequence: seat.sequence,
            member: seen.member,
            presence: seat.presence,
            app: seat.app,
            domain: seat.domain,
            bootId: seen.bootId,
            startBootMs: boot.ms,
            endBootMs: boot.ms,
            startWallMs: (seen.reading.wall - (seen.reading.boot - boot)).ms,
            zone: seen.zone,
            category: category(seat.app, seat.domain),
            knownBy: seen.played == true ? .played : .seen,
            shielded: seat.shielded
        )
    }

    func matches(_ seat: AgentState, zone: String) -> Bool {
        presence == seat.presence && app == seat.app && domain == seat.domain
            && (shielded ?? false) == (seat.shielded ?? false) && self.zone == zone
    }
}
