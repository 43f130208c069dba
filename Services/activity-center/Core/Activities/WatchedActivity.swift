package import STContracts
package import STDomain
package import STPlatform

/// An activity that is watched, and the progress of its interval.
package struct WatchedActivity: WireBody, Codable, Equatable {
    package var key: ActivityKey
    package var schedule: Schedule
    package var events: [WatchedEvent]
    package var mode: ScheduleMode
    package var warningMs: Int64?
    /// A description of the schedule as Screen Time has interpreted it.
    package var understood: String
    /// The faults of phones to simulate, for developers.
    private var faults: [PhoneFault]?
    /// Thresholds that wait to be published together.
    package private(set) var held: [DueOccurrence]?

    /// The interval under way.
    package private(set) var current: IntervalSpan?
    /// The interval after the current one, or the first one to come.
    package private(set) var next: IntervalSpan?
    /// True if the wall clock was set back to before the start of `current`, which still stays under way.
    private var isAhead = false
    private var toldWillStart = false
    private var toldWillEnd = false
    /// True while the announcement of the start waits for the first use of the device, as on a phone.
    package private(set) var owesStart = false
    private var owesEnd: IntervalSpan?

    /// The boot time of `fromBootId` before which use does not count.
    package private(set) var fromBootMs: Int64
    private var fromBootId: String
    /// The same moment in wall time, for usage of another boot that is reported late.
    private var fromWallMs: Int64 = .min
    /// The moment at which watching began, if that was in this boot. Events that count from the last rest also count before the
    /// interval.
    private var openedBootMs: Int64?
    /// The end of the last interval, while none is under way. Use up to then may still be reported.
    private var endedWallMs: Int64?
    /// The start of the latest new allowance. Each change of the clock shifts it by the same amount, so the difference to now
    /// is true time.
    private var armedStartMs: Int64?
    /// True if the clock or the time zone changed after the latest interval that started with a new allowance.
    private var isShifted: Bool?
    /// True if the current interval started too early for a new allowance.
    private var isCarried: Bool?

    /// Upper bound on the borders that one call crosses. With more, the clock is implausible, and the next call continues.
    private static let bordersMax = 10_000
    /// The period for which a phone collects thresholds before it publishes them together.
    private static let hold = Duration.seconds(3_600)
    /// The shortest time between requests to an agent while another machine is silent at the end of a common budget.
    private static let soon = Duration.milliseconds(250)

    package init(
        key: ActivityKey,
        schedule: Schedule,
        events: [WatchedEvent],
        mode: ScheduleMode,
        warning: Duration?,
        understood: String,
        from boot: BootTime,
        fromBootId: String,
        faults: [PhoneFault] = []
    ) {
        self.key = key
        self.schedule = schedule
        self.events = events
        self.mode = mode
        warningMs = warning?.ms
        self.understood = understood
        fromBootMs = boot.ms
        self.fromBootId = fromBootId
        openedBootMs = boot.ms
        self.faults = faults.isEmpty ? nil : faults
    }

    private func has(_ fault: PhoneFault) -> Bool { faults?.contains(fault) == true }

    /// The next moment, in wall time, at which something may be due.
    package var dueTime: WallTime? {
        var due = heldUntil ?? .distantFuture
        if let current {
            due = min(due, isAhead ? current.start : renewal ?? current.end)
            if !isAhead, !toldWillEnd, let warning {
                due = min(due, max(current.start, current.end - warning))
            }
        }
        if let next {
            if current == nil { due = min(due, next.start) }
            if !toldWillStart, let warning { due = min(due, next.start - warning) }
        }
        return due == .distantFuture ? nil : due
    }

    private var warning: Duration? { warningMs.map { .milliseconds($0) } }

    package var isFinished: Bool { current == nil && next == nil && owesEnd == nil && !owesStart }

    /// The minimum time between new allowances: the length of a day on which clocks go forward.
    private var spacing: Duration? { schedule.periodMs.map { .milliseconds($0 - $0 / 24) } }

    private func isTooSoon(_ wall: WallTime) -> Bool {
        guard isShifted == true, let armedStartMs else { return false }
        return spacing.map { wall < WallTime(ms: armedStartMs) + $0 } ?? true
    }

    /// The moment of the new allowance, if the current interval started too early for one.
    private var renewal: WallTime? {
        guard isCarried == true, let current, let armedStartMs, let spacing else { return nil }
        let at = WallTime(ms: armedStartMs) + spacing
        return at < current.end ? at : nil
    }

    func interval(atOrAfter wall: WallTime, _ zone: String) -> IntervalSpan? {
        schedule.interval(atOrAfter: wall.ms, zone: zone).map { IntervalSpan($0) }
    }

    private func interval(after span: IntervalSpan, _ zone: String) -> IntervalSpan? {
        schedule.next(after: span.interval, zone: zone).map { IntervalSpan($0) }
    }

    // MARK: - Intervals come and go

    /// Starts watching. Announces an interval under way immediately, in every mode.
    mutating func begin(at moment: ZonedReading) -> [DueOccurrence] {
        let wall = moment.wall
        next = interval(atOrAfter: wall, moment.zone)
        guard let first = next, first.start <= wall else {
            // A warning after its moment has no use.
            if let next, let warning { toldWillStart = next.start - warning < wall }
            return []
        }
        var due = begin(first, at: wall, moment)
        if owesStart {
            owesStart = false
            due += startOccurrences(first, at: wall) + reachedAgain(first, at: wall)
        }
        if let warning { toldWillEnd = first.end - warning < wall }
        return due
    }

    /// Applies a new boot, in which boot times start again. All use from then on is later than the interval's start.
    mutating func restart(bootId: String) {
        fromBootId = bootId
        fromBootMs = .min
        openedBootMs = nil
    }

    /// Advances to this moment.
    mutating func advance(_ to: ZonedReading) -> [DueOccurrence] {
        var due = heldUntil ?? .distantFuture <= to.wall ? drainHeld() : []
        for _ in 0..<Self.bordersMax {
            if let current {
                if isAhead {
                    guard current.start <= to.wall else { break }
                    // The clock was set back before this start, and has now reached it again.
                    due += end(at: current.start, to, note: EvidenceNotes.clockForwardAndBack)
                    due += begin(current, at: current.start, to)
                    continue
                }
                if let at = renewal, at <= to.wall {
                    let note = EvidenceNotes.newAllowance(after: spacing ?? .zero)
                    var rest = current
                    rest.startWallMs = at.ms
                    due += end(at: at, to, note: note) + begin(rest, at: at, to, note: note)
                    continue
                }
                if current.end <= to.wall {
                    due += warnOfStart(to)
                    due += end(at: current.end, to)
                    continue
                }
                due += warnOfEnd(to)
                due += warnOfStart(to)
                break
            }
            guard let next else { break }
            guard next.start <= to.wall else {
                due += warnOfStart(to)
                break
            }
            if next.end <= to.wall, schedule.repeats {
                // The interval passed while the service did not run, so there is nothing to announce.
                self.next = interval(after: next, to.zone)
                continue
            }
            due += begin(next, at: next.start, to)
        }
        return due
    }

    /// Applies a step of the clock to the time of `to`.
    mutating func applyClockStep(_ to: ZonedReading, by step: Duration) -> [DueOccurrence] {
        let note = EvidenceNotes.clockSet(by: step)
        var due: [DueOccurrence] = []
        isShifted = true
        armedStartMs = armedStartMs.map { min(WallTime(ms: $0) + step, to.wall).ms }
        if let current {
            if to.wall < current.start {
                isAhead = true
                return []
            }
            if to.wall < current.end {
                isAhead = false
                return []
            }
            isAhead = false
            due += end(at: to.wall, to, note: note)
        }
        return due + beginCurrentInterval(to, note: note)
    }

    /// Applies a change of the time zone. An interval ends at the same time of day in the new zone.
    mutating func applyZoneChange(_ to: ZonedReading) -> [DueOccurrence] {
        let note = Message("evidence.zone-changed", "The time zone changed to \(to.zone, "zone").")
        isShifted = true
        guard var current else { return beginCurrentInterval(to, note: note) }
        current.endWallMs = schedule.end(of: current.interval, movedTo: to.zone)
        current.zone = to.zone
        self.current = current
        next = interval(after: current, to.zone)
        guard isAhead || current.end <= to.wall else { return [] }
        return end(at: to.wall, to, note: note) + beginCurrentInterval(to, note: note)
    }

    /// Finds the interval of this moment, and begins it if it is under way.
    private mutating func beginCurrentInterval(_ to: ZonedReading, note: Message) -> [DueOccurrence] {
        guard schedule.repeats || armedStartMs == nil else {
            next = nil
            return []
        }
        toldWillStart = false
        next = interval(atOrAfter: to.wall, to.zone)
        guard let next, next.start <= to.wall else {
            if let next, let warning { toldWillStart = next.start - warning < to.wall }
            return []
        }
        return begin(next, at: to.wall, to, note: note)
    }

    // MARK: - The borders of an interval

    private mutating func begin(
        _ interval: IntervalSpan,
        at wall: WallTime,
        _ to: ZonedReading,
        note: Message? = nil
    ) -> [DueOccurrence] {
        current = interval
        next = self.interval(after: interval, to.zone)
        isAhead = false
        toldWillStart = false
        toldWillEnd = false
        let isTooSoon = isTooSoon(wall)
        // Observations of the time before this moment may arrive later. They count towards the same allowance.
        let goesOn = isTooSoon && endedWallMs == wall.ms && fromBootId == to.bootId
        endedWallMs = nil
        if !goesOn {
            fromBootId = to.bootId
            fromBootMs = to.boot(at: wall).ms
            fromWallMs = wall.ms
        }
        if !isTooSoon {
            armedStartMs = armedStartMs == nil ? interval.startWallMs : wall.ms
            // Only an allowance at a scheduled start ends the effect of the change.
            if isCarried != true, interval.start == wall { isShifted = nil }
        }
        isCarried = isTooSoon ? true : nil
        // An event that counts from the last rest continues over midnight.
        for index in events.indices where events[index].spec.restMs == nil {
            guard !isTooSoon else {
                events[index].carryUsage()
                continue
            }
            let isRepeated = has(.midnightThresholds) && events[index].isExhausted
            events[index].resetAllowance(isReached: isRepeated || has(.earlyThresholds))
        }
        guard mode == .wallClock else {
            owesStart = true
            return []
        }
        return startOccurrences(interval, at: wall, note: note) + reachedAgain(interval, at: wall)
    }

    private func startOccurrences(_ interval: IntervalSpan, at wall: WallTime, note: Message? = nil)
        -> [DueOccurrence]
    {
        has(.missedStart) ? [] : [occurrence(.intervalStarted, interval, at: wall, note: note)]
    }

    /// Returns the thresholds that remain reached when a changed clock or zone enters another interval. The app removed its shields
    /// at the end of the last interval, so it must receive these thresholds again.
    private func reachedAgain(_ interval: IntervalSpan, at wall: WallTime) -> [DueOccurrence] {
        let isFaulty = has(.earlyThresholds) || has(.midnightThresholds)
        let again = events.filter {
            $0.progress.reached && ($0.carried > .zero || isFaulty && $0.spec.restMs == nil)
        }
        return again.map { event in
            var due = occurrence(.thresholdReached, interval, at: wall)
            due.event = event.spec.name
            due.evidence = ActivityEvidence(
                rule: EventText.ruleText(event.budget),
                countedMs: event.used.ms,
                thresholdMs: event.budget.thresholdMs,
                warningMs: event.budget.warningMs,
                carriedMs: event.carried.ms,
                parts: event.parts,
                more: event.more,
                note: event.carried > .zero ? EvidenceNotes.usedUpBefore : EvidenceNotes.phoneFault
            )
            return due
        }
    }

    private mutating func end(at wall: WallTime, _ to: ZonedReading, note: Message? = nil) -> [DueOccurrence]
    {
        guard let ended = current else { return [] }
        current = nil
        endedWallMs = wall.ms
        isAhead = false
        toldWillEnd = false
        let held = drainHeld()
        guard mode == .wallClock else {
            // A phone that was not used in the interval does not announce it.
            if owesStart { owesStart = false } else { owesEnd = ended }
            return held
        }
        return held + [occurrence(.intervalEnded, ended, at: wall, note: note)]
    }

    private var heldUntil: WallTime? {
        held?.first.map { WallTime(ms: ($0.dueWallMs / Self.hold.ms + 1) * Self.hold.ms) }
    }

    /// Removes deleted segments from the evidence of held thresholds. Returns true if something changed.
    mutating func removeHeldEvidence(_ segments: Set<String>) -> Bool {
        let before = held
        for index in (held ?? []).indices { _ = held?[index].evidence.forget(segments) }
        return held != before
    }

    private mutating func drainHeld() -> [DueOccurrence] {
        defer { held = nil }
        return held ?? []
    }

    private mutating func warnOfEnd(_ to: ZonedReading) -> [DueOccurrence] {
        guard let current, let warning, !toldWillEnd else { return [] }
        let at = max(current.start, current.end - warning)
        guard at <= to.wall else { return [] }
        toldWillEnd = true
        if mode == .firstUse, owesStart { return [] }
        return [occurrence(.intervalWillEnd, current, at: at)]
    }

    private mutating func warnOfStart(_ to: ZonedReading) -> [DueOccurrence] {
        guard let next, let warning, !toldWillStart, next.start - warning <= to.wall else {
            return []
        }
        toldWillStart = true
        return [occurrence(.intervalWillStart, next, at: next.start - warning)]
    }

    /// Returns the announcements that waited for use of the device, at the first moment of use after their border.
    mutating func releaseHeld(in stretch: UsageInterval) -> [DueOccurrence] {
        var due: [DueOccurrence] = []
        if let ended = owesEnd, Self.isUsed(stretch, since: ended.end) {
            owesEnd = nil
            due.append(
                lateOccurrence(
                    .intervalEnded,
                    interval: ended,
                    border: ended.end,
                    stretch: stretch,
                    note: Message("evidence.announced-after", "Sent when the device was next used.")
                )
            )
        }
        if owesStart, let current, Self.isUsed(stretch, since: current.start) {
            owesStart = false
            let border = current.start
            let started = lateOccurrence(
                .intervalStarted,
                interval: current,
                border: border,
                stretch: stretch,
                note: Message(
                    "evidence.announced-within",
                    "Sent when the device was first used in the interval."
                )
            )
            if !has(.missedStart) { due.append(started) }
            due += reachedAgain(current, at: WallTime(ms: started.dueWallMs))
        }
        return due
    }

    /// Returns true if any of the usage is after a border. A late report may be before it.
    private static func isUsed(_ stretch: UsageInterval, since wall: WallTime) -> Bool {
        stretch.endWall > wall || stretch.fromBoot == stretch.toBoot && stretch.endWall == wall
    }

    private func lateOccurrence(
        _ occasion: ActivityOccasion,
        interval: IntervalSpan,
        border wall: WallTime,
        stretch: UsageInterval,
        note: Message
    ) -> DueOccurrence {
        let at = min(stretch.endWall, max(stretch.fromWall, wall))
        var due = occurrence(occasion, interval, at: at, note: note)
        due.dueBootMs = stretch.boot(at: at).ms
        return due
    }

    // MARK: - Occurrences

    func occurrence(
        _ occasion: ActivityOccasion,
        _ interval: IntervalSpan,
        at wall: WallTime,
        note: Message? = nil
    ) -> DueOccurrence {
        DueOccurrence(
            key: key,
            event: nil,
            occasion: occasion,
            dueWallMs: wall.ms,
            dueBootMs: nil,
            interval: interval,
            evidence: ActivityEvidence(
                rule: Message(verbatim: understood),
                warningMs: warningMs,
                parts: [],
                more: 0,
                note: note
            )
        )
    }

    // MARK: - Use

    /// Returns the part of a stretch within the interval under way, or within the one that has just ended. Returns nil if there is
    /// none.
    private func counted(_ stretch: UsageInterval) -> (from: BootTime, to: BootTime)? {
        let from = max(stretch.fromBoot, start(in: stretch))
        let to = min(stretch.toBoot, end(in: stretch))
        return from < to ? (from, to) : nil
    }

    /// Returns the boot time in a stretch from which use counts.
    private func start(in stretch: UsageInterval) -> BootTime {
        // Boot times of another boot cannot be compared, but wall times can.
        if stretch.bootId == fromBootId { return BootTime(ms: fromBootMs) }
        return stretch.boot(at: WallTime(ms: fromWallMs))
    }

    private func end(in stretch: UsageInterval) -> BootTime {
        // While the clock is before its start, the interval has no end that can be reached.
        if isAhead { return .distantFuture }
        let end = (current?.endWallMs ?? endedWallMs).map { stretch.boot(at: WallTime(ms: $0)) }
        return end ?? BootTime(ms: .min)
    }

    /// Returns the parts that an event counts.
    private func counted(
        _ stretch: UsageInterval,
        of event: WatchedEvent,
        _ part: (from: BootTime, to: BootTime)?,
        beside: [UsageInterval]
    ) -> [(from: BootTime, to: BootTime)] {
        guard event.spec.restMs != nil else {
            return part.map { event.parts(of: stretch, from: $0.from, to: $0.to, beside: beside) } ?? []
        }
        var opened = BootTime(ms: stretch.bootId == fromBootId ? openedBootMs ?? .min : .min)
        if stretch.device != nil {
            // A person who uses two machines needs one rest. Usage that is reported late requires no rest now.
            guard !stretch.isLate, let last = event.counted else { return [] }
            opened = stretch.boot(at: WallTime(ms: last.wallMs))
        }
        let from = max(stretch.fromBoot, opened)
        let to = min(stretch.toBoot, end(in: stretch))
        return from < to ? [(from, to)] : []
    }

    mutating func count(_ stretch: UsageInterval, beside: [UsageInterval], into due: inout [DueOccurrence])
        -> Bool
    {
        let inInterval = counted(stretch)
        var hasChanged = false
        for index in events.indices where events[index].matches(stretch) {
            let parts = counted(stretch, of: events[index], inInterval, beside: beside)
            let crossings = parts.flatMap {
                events[index].count(stretch, from: $0.from, to: $0.to)
            }
            hasChanged = hasChanged || !parts.isEmpty
            // After the end of an interval its thresholds are not announced any more.
            guard let current else { continue }
            let reached = crossings.map {
                DueOccurrence($0, event: events[index], of: key, interval: current, stretch: stretch)
            }
            if has(.batchedThresholds), !reached.isEmpty {
                held = (held ?? []) + reached
            } else {
                due += reached
            }
        }
        return hasChanged
    }

    /// Takes back counted usage. Appends the thresholds that are no longer reached to `due`.
    mutating func retract(_ stretch: UsageInterval, beside: [UsageInterval], into due: inout [DueOccurrence])
        -> Bool
    {
        let inInterval = counted(stretch)
        var hasChanged = false
        for index in events.indices where events[index].matches(stretch) {
            let parts = counted(stretch, of: events[index], inInterval, beside: beside)
            guard let last = parts.last else { continue }
            hasChanged = true
            let isOfRules = key.app == BuiltInRules.app
            let length = parts.reduce(Duration.zero) { $0 + ($1.to - $1.from) }
            guard events[index].retract(stretch, length: length, isOfRules: isOfRules), let current
            else { continue }
            let usedMs = events[index].used.ms
            let crossing = BudgetCrossing(kind: .threshold, atBootMs: last.to.ms, usedMs: usedMs)
            var returned = DueOccurrence(
                crossing,
                event: events[index],
                of: key,
                interval: current,
                stretch: stretch
            )
            returned.occasion = .thresholdReturned
            due.append(returned)
        }
        return hasChanged
    }

    func checkTime(_ open: UsageInterval, _ beside: [RemoteUsageTracker.ConcurrentUsage]) -> BootTime? {
        (events.map { checkTime(open, of: $0, beside) } + [nextStart(open)]).compactMap(\.self).min()
    }

    /// Returns the boot time at which the open stretch starts to count towards the next interval or allowance.
    private func nextStart(_ open: UsageInterval) -> BootTime? {
        guard let start = renewal ?? next?.start, events.contains(where: { $0.matches(open) })
        else { return nil }
        let at = open.boot(at: start)
        return at > open.toBoot ? at : nil
    }

    /// Returns the boot time of the next crossing of one event, if the open stretch and the usage beside it continue.
    func checkTime(
        _ open: UsageInterval,
        of event: WatchedEvent,
        _ beside: [RemoteUsageTracker.ConcurrentUsage] = []
    ) -> BootTime? {
        guard current != nil, open.presence == .active, event.matches(open), event.counted?.isBusy != true,
            let crossing = event.progress.nextCrossing(
                of: event.budget,
                // The part before this moment has been counted already.
                fromBootMs: max(open.toBoot, start(in: open)).ms
            )
        else { return nil }
        // Each machine brings the common end nearer, from the moment up to which its usage is known.
        let known = (event.spec.overlap == .once ? [] : beside).filter { event.matches($0.stretch) }.map {
            min($0.known.ms, crossing.atBootMs)
        }
        let sum = crossing.atBootMs + known.reduce(0, +)
        let count = Int64(known.count) + 1
        let common = known.isEmpty ? sum : max((open.toBoot + Self.soon).ms, (sum + count - 1) / count)
        let at = BootTime(ms: min(crossing.atBootMs, common))
        return at < end(in: open) ? at : nil
    }

    /// Counts use from before watching began, for the events that include it.
    mutating func count(past stretches: [UsageInterval], at moment: ZonedReading) -> [DueOccurrence] {
        guard let current, let last = stretches.last else { return [] }
        var due: [DueOccurrence] = []
        for index in events.indices where events[index].budget.includesPast {
            for crossing in events[index].count(past: stretches, at: moment.reading.boot) {
                var told = DueOccurrence(
                    crossing,
                    event: events[index],
                    of: key,
                    interval: current,
                    stretch: last,
                    note: EvidenceNotes.pastIncluded
                )
                told.dueWallMs = moment.wall.ms
                due.append(told)
            }
        }
        return due
    }
}
