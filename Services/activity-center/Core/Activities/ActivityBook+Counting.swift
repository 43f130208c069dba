import STContracts
import STDomain
import STPlatform

/// Use that is counted towards the events of activities.
extension ActivityBook {
    /// The ledger has taken in a stretch; says what it made come true, each at its exact moment.
    package mutating func count(_ stretch: Stretch) -> [DueOccurrence] {
        guard stretch.presence == .active, stretch.fromBootMs <= stretch.toBootMs else { return [] }
        var due: [DueOccurrence] = []
        let isUse = isUse(stretch)
        forEach { activity in
            guard activity.key.member == stretch.member else { return .none }
            let told = activity.mode == .firstUse ? activity.use(in: stretch) : []
            due += told
            let hasCounted = isUse && activity.count(stretch, into: &due)
            return told.isEmpty ? (hasCounted ? .counts : .none) : .all
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// Somebody is there: what a phone keeps for the first use of an interval is told.
    package mutating func use(_ open: Stretch) -> [DueOccurrence] {
        guard open.presence == .active else { return [] }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.mode == .firstUse, activity.key.member == open.member else { return .none }
            let told = activity.use(in: open)
            due += told
            return told.isEmpty ? .none : .all
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// A person's past is deleted: what it was goes, how much it was stays counted.
    package mutating func forget(segments: Set<String>, of member: String) {
        forEach { activity in
            guard activity.key.member == member else { return .none }
            var hasChanged = false
            for index in activity.events.indices {
                hasChanged = activity.events[index].forget(segments) || hasChanged
            }
            return hasChanged ? .counts : .none
        }
    }

    /// The boot time of the next warning or threshold, if what is in front stays there.
    package func checkAtBootMs(_ open: Stretch) -> Int64? {
        guard isUse(open) else { return nil }
        return activities.compactMap { $0.key.member == open.member ? $0.checkAtBootMs(open) : nil }.min()
    }

    /// Somebody is there, and not only a shield to look at.
    func isUse(_ stretch: Stretch) -> Bool {
        stretch.presence == .active && (countsShielded || !stretch.isShielded)
    }
}

extension WatchedActivity {
    /// The part of a stretch that lies in the interval under way, or in the one that has just ended; nil when
    /// none does.
    private func counted(_ stretch: Stretch) -> (from: Int64, to: Int64)? {
        let from = max(stretch.fromBootMs, start(in: stretch))
        let to = min(stretch.toBootMs, end(in: stretch))
        return from < to ? (from, to) : nil
    }

    /// From which boot time of a stretch on use counts.
    private func start(in stretch: Stretch) -> Int64 {
        // The boot times of another start of the machine cannot be compared; its wall time can.
        stretch.bootId == fromBootId ? fromBootMs : stretch.bootMs(atWallMs: fromWallMs)
    }

    private func end(in stretch: Stretch) -> Int64 {
        // While the clock is behind its start, the interval has no end that could be reached.
        if isAhead { return .max }
        return (current?.endWallMs ?? endedWallMs).map { stretch.bootMs(atWallMs: $0) } ?? .min
    }

    mutating func count(_ stretch: Stretch, into due: inout [DueOccurrence]) -> Bool {
        guard let part = counted(stretch) else { return false }
        var hasChanged = false
        for index in events.indices where events[index].matches(stretch) {
            let crossings = events[index].take(stretch, fromBootMs: part.from, toBootMs: part.to)
            hasChanged = true
            // Nobody is told of a threshold once the end of its interval was told.
            guard let current else { continue }
            due += crossings.map { occurrence($0, events[index], current, stretch) }
        }
        return hasChanged
    }

    func checkAtBootMs(_ open: Stretch) -> Int64? {
        (events.compactMap { checkAtBootMs(open, of: $0) } + [nextStartBootMs(open)].compactMap { $0 }).min()
    }

    /// When an interval begins in which what is open will count: only then is it known when something comes true in it.
    private func nextStartBootMs(_ open: Stretch) -> Int64? {
        guard let next, events.contains(where: { $0.matches(open) }) else { return nil }
        let at = open.bootMs(atWallMs: next.startWallMs)
        return at > open.toBootMs ? at : nil
    }

    /// The boot time at which the next thing comes true for one event, if what is open stays.
    func checkAtBootMs(_ open: Stretch, of event: WatchedEvent) -> Int64? {
        guard current != nil, open.presence == .active, event.matches(open),
            let crossing = event.progress.nextCrossing(
                of: event.budget,
                // From here on what is open counts; the part before it has been counted already.
                fromBootMs: max(open.toBootMs, start(in: open))
            )
        else { return nil }
        return crossing.atBootMs < end(in: open) ? crossing.atBootMs : nil
    }

    func occurrence(
        _ crossing: BudgetCrossing,
        _ event: WatchedEvent,
        _ interval: IntervalSpan,
        _ stretch: Stretch,
        note: String? = nil
    ) -> DueOccurrence {
        DueOccurrence(
            key: key,
            event: event.spec.name,
            occasion: crossing.kind == .warning ? .thresholdWarning : .thresholdReached,
            dueWallMs: stretch.wallMs(atBootMs: crossing.atBootMs),
            dueBootMs: crossing.atBootMs,
            interval: interval,
            evidence: ActivityEvidence(
                rule: EventText.rule(event.budget),
                countedMs: crossing.usedMs,
                thresholdMs: event.budget.thresholdMs,
                warningMs: event.budget.warningMs,
                carriedMs: event.carriedMs > 0 ? event.carriedMs : nil,
                parts: event.parts,
                more: event.more,
                note: note
            )
        )
    }
}
