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
            atBootMs: seen.bootMs,
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
        var news = TimelineChanges(isLate: seen.bootMs < open.endBootMs)
        let now = max(seen.bootMs, open.endBootMs)
        let holder = open.agent
        let heardMs = seats[holder]?.heardBootMs ?? open.endBootMs
        seats[words.agent] = AgentState(seen, run: words.run, after: before)
        guard let next = nextAgent(after: words.agent, awakeMs: seen.monotonicMs + now - seen.bootMs),
            let seat = seats[next]
        else { return news }
        // The report applies from now on.
        defer { isBusy = next == words.agent ? seen.busy : nil }

        let sleptMs = news.isLate ? 0 : suspendedMs(seen, now)
        let isBlind =
            open.presence == .active && now - sleptMs > open.endBootMs
            && isGap(words, after: before, silentMs: now - sleptMs - heardMs)
        suspendedMs = max(suspendedMs, seen.reading.suspendedMs)
        let offset = news.isLate ? offsetMs : seen.wallMs - seen.bootMs
        let step = offset - offsetMs
        let isStepped = abs(step) > Timeline.stepMs
        offsetMs = offset
        let isKnown = next == holder && words.agent == holder && sleptMs == 0 && !isBlind && !news.isLate
        let touchedMs = isKnown ? seen.inputBootMs : nil
        let hasLeft = touchedMs != nil && seat.presence == .idle && open.presence == .active
        var settledMs = Int64.max
        if let touchedMs, seat.presence == .active { settledMs = touchedMs + Timeline.touchMs }
        if !hasLeft { closeHeld(through: settledMs, &news) }
        if next == holder, sleptMs == 0, !isBlind, !isStepped, open.matches(seat, zone: seen.zone) {
            extend(to: now, &news)
            return news
        }
        var beginMs = now
        if hasLeft, let touchedMs {
            beginMs = retract(since: max(touchedMs, now - Timeline.retractionMaxMs), &news)
        }
        close(at: isBlind ? open.endBootMs : beginMs - sleptMs, settlingThrough: settledMs, &news)
        var parts = 0
        func begin(_ seat: AgentState, at bootMs: Int64) -> Segment {
            var segment = Segment(words, seat: seat, holder: next, atBootMs: bootMs, part: parts, category)
            segment.startWallMs = bootMs + offset
            if parts == 0, isStepped { segment.stepMs = step }
            parts += 1
            return segment
        }
        if isBlind {
            let isUse = words.countsGaps && now - sleptMs - open.endBootMs <= Timeline.countedGapMsMax
            let presence: Presence = isUse ? .active : .unobserved
            let gap = begin(seat, at: open.endBootMs)
            appendGap(gap, presence: presence, knownBy: .silence, to: now - sleptMs, news: &news)
        }
        if sleptMs > 0 {
            let gap = begin(seat, at: now - sleptMs)
            appendGap(gap, presence: .suspended, knownBy: .clocks, to: now, news: &news)
        }
        open = begin(seat, at: beginMs)
        emitUsage(to: now, &news)
        open.endBootMs = now
        toldBootMs = now
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
    private func isGap(_ words: AgentObservation, after before: AgentState?, silentMs: Int64) -> Bool {
        guard words.agent == open.agent else { return silentMs > Timeline.silenceMs }
        if words.observation.unbroken == true { return false }
        // An agent that exits normally reports `unobserved` first.
        let hasDied = words.countsGaps && before.map { $0.run != words.run } ?? false
        return hasDied || silentMs > Timeline.silenceMs
    }

    mutating func dropStaleSeats() {
        seats = seats.filter { name, seat in
            name == open.agent || open.endBootMs - seat.heardBootMs <= Timeline.silenceMs
        }
    }

    /// Returns the agent that holds the lane from now on, or nil if the report changes nothing for the member.
    private func nextAgent(after agent: String, awakeMs: Int64) -> String? {
        let holder = open.agent
        var best: (name: String, inputMs: Int64)?
        for (name, seat) in seats {
            guard seat.presence == .active, awakeMs - seat.heardAwakeMs <= Timeline.silenceMs else {
                continue
            }
            guard let found = best else {
                best = (name, seat.inputBootMs)
                continue
            }
            // Among equals the holder keeps the lane; otherwise the name decides.
            let isBefore =
                seat.inputBootMs != found.inputMs
                ? seat.inputBootMs > found.inputMs
                : name == holder || (found.name != holder && name < found.name)
            if isBefore { best = (name, seat.inputBootMs) }
        }
        guard let best else { return agent == holder ? holder : nil }
        return best.name == holder && agent != holder ? nil : best.name
    }

    private func suspendedMs(_ seen: Observation, _ now: Int64) -> Int64 {
        // The agent has reported the sleep itself.
        guard open.presence != .suspended else { return 0 }
        let grownMs = seen.reading.suspendedMs - suspendedMs
        return grownMs > Timeline.readingToleranceMs ? min(grownMs, now - open.endBootMs) : 0
    }

    private mutating func extend(to bootMs: Int64, _ news: inout TimelineChanges) {
        emitUsage(to: bootMs, &news)
        open.endBootMs = bootMs
        guard bootMs - toldBootMs >= SegmentOpened.everyMs else { return }
        toldBootMs = bootMs
        news.outputs.append(.extended(open))
    }

    private mutating func close(
        at bootMs: Int64,
        settlingThrough settledMs: Int64,
        _ news: inout TimelineChanges
    ) {
        emitUsage(to: bootMs, &news)
        open.endBootMs = bootMs
        untouched = held + [open]
        if held.count > Timeline.heldMax { closeHeld(through: held[0].endBootMs, &news) }
        closeHeld(through: open.presence == .active ? settledMs : .max, &news)
        if !held.isEmpty { news.outputs.append(.extended(open)) }
    }

    /// Closes the held segments that end by this moment. Later input has shown that they were use.
    private mutating func closeHeld(through bootMs: Int64, _ news: inout TimelineChanges) {
        let settled = held.prefix { $0.endBootMs <= bootMs }
        news.outputs += settled.map { .closed($0) }
        let left = held.dropFirst(settled.count)
        untouched = left.isEmpty ? nil : Array(left)
    }

    /// Takes back the use since a moment. Returns the boot time at which the remaining use ends.
    private mutating func retract(since bootMs: Int64, _ news: inout TimelineChanges) -> Int64 {
        let cutMs = max(bootMs, held.first?.startBootMs ?? open.startBootMs)
        func cut(_ segment: Segment) -> Segment {
            guard segment.endBootMs > cutMs else { return segment }
            var kept = segment
            let fromMs = max(cutMs, segment.startBootMs)
            news.outputs.append(
                .retracted(UsageInterval(segment, fromBootMs: fromMs, toBootMs: segment.endBootMs))
            )
            // A segment of which nothing remains gets the length 0 at the cut, because each opened segment must be closed.
            kept.startWallMs -= fromMs - cutMs
            kept.startBootMs = min(segment.startBootMs, cutMs)
            kept.endBootMs = cutMs
            return kept
        }
        untouched = held.map(cut)
        open = cut(open)
        return max(open.endBootMs, cutMs)
    }

    private func emitUsage(to bootMs: Int64, _ news: inout TimelineChanges) {
        guard bootMs > open.endBootMs else { return }
        var stretch = UsageInterval(open, fromBootMs: open.endBootMs, toBootMs: bootMs)
        stretch.isBusy = isBusy == true
        news.outputs.append(.counted(stretch))
    }

    private func appendGap(
        _ begun: Segment,
        presence: Presence,
        knownBy: SegmentProvenance,
        to bootMs: Int64,
        news: inout TimelineChanges
    ) {
        var gap = begun
        gap.presence = presence
        gap.knownBy = knownBy
        gap.app = presence == .active ? UsageObserve.unseenApp : nil
        gap.domain = nil
        gap.category = nil
        gap.shielded = nil
        gap.endBootMs = bootMs
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
        atBootMs bootMs: Int64,
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
            startBootMs: bootMs,
            endBootMs: bootMs,
            startWallMs: seen.wallMs - (seen.bootMs - bootMs),
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
