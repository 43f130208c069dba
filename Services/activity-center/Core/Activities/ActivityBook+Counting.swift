import STContracts
import STPlatform

/// Use that is counted towards the events of activities.
extension ActivityBook {
    /// The ledger has taken in a stretch; says what it made come true, each at its exact moment.
    package mutating func count(_ stretch: Stretch) -> [DueOccurrence] {
        guard stretch.presence == .active, stretch.fromBootMs <= stretch.toBootMs else { return [] }
        var due: [DueOccurrence] = []
        forEach { activity in
            guard activity.key.member == stretch.member else { return false }
            let told = activity.mode == .firstUse ? activity.used(atWallMs: stretch.fromWallMs) : []
            due += told
            return activity.count(stretch, into: &due) || !told.isEmpty
        }
        return due.sorted(by: DueOccurrence.isBefore)
    }

    /// The boot time of the next warning or threshold, if what is in front stays there.
    package func checkAtBootMs(_ open: Stretch) -> Int64? {
        guard open.presence == .active else { return nil }
        return activities.compactMap { $0.key.member == open.member ? $0.checkAtBootMs(open) : nil }.min()
    }
}

extension WatchedActivity {
    /// The part of a stretch that lies in the interval under way, or in the one that has just ended; nil when
    /// none does.
    private func counted(_ stretch: Stretch) -> (from: Int64, to: Int64)? {
        guard stretch.bootId == fromBootId else { return nil }
        let from = max(stretch.fromBootMs, fromBootMs)
        let to: Int64
        if let current {
            // While the clock is behind its start, the interval has no end that could be reached.
            to = isAhead ? stretch.toBootMs : min(stretch.toBootMs, stretch.bootMs(atWallMs: current.endWallMs))
        } else {
            to = min(stretch.toBootMs, endedBootMs ?? .min)
        }
        return from < to ? (from, to) : nil
    }

    mutating func count(_ stretch: Stretch, into due: inout [DueOccurrence]) -> Bool {
        guard let part = counted(stretch) else { return false }
        var hasChanged = false
        for index in events.indices where events[index].matches(stretch) {
            let before = events[index].usedMs
            events[index].usedMs += part.to - part.from
            events[index].remember(stretch, fromBootMs: part.from, ms: part.to - part.from)
            hasChanged = true
            // Nobody is told of a threshold once the end of its interval was told.
            guard let current else { continue }
            for (occasion, point) in events[index].crossed(warningMs) {
                let at = part.from + max(0, point - before)
                due.append(crossing(occasion, events[index], current, stretch, atBootMs: at, point))
            }
        }
        return hasChanged
    }

    func checkAtBootMs(_ open: Stretch) -> Int64? {
        events.compactMap { checkAtBootMs(open, of: $0) }.min()
    }

    /// The boot time at which the next thing comes true for one event, if what is open stays.
    func checkAtBootMs(_ open: Stretch, of event: WatchedEvent) -> Int64? {
        guard let current, open.presence == .active, open.bootId == fromBootId, event.matches(open),
            let point = event.nextPoint(warningMs)
        else { return nil }
        // From here on what is open counts; the part before it has been counted already.
        let at = max(open.toBootMs, fromBootMs) + max(0, point - event.usedMs)
        return isAhead || at < open.bootMs(atWallMs: current.endWallMs) ? at : nil
    }

    func crossing(
        _ occasion: ActivityOccasion,
        _ event: WatchedEvent,
        _ interval: IntervalSpan,
        _ stretch: Stretch,
        atBootMs: Int64,
        _ point: Int64,
        note: String? = nil
    ) -> DueOccurrence {
        DueOccurrence(
            key: key,
            event: event.spec.name,
            occasion: occasion,
            dueWallMs: stretch.wallMs(atBootMs: atBootMs),
            dueBootMs: atBootMs,
            interval: interval,
            evidence: ActivityEvidence(
                rule: EventText.rule(event),
                countedMs: point,
                thresholdMs: event.thresholdMs,
                warningMs: warningMs,
                carriedMs: event.carriedMs > 0 ? event.carriedMs : nil,
                parts: event.parts,
                more: event.more,
                note: note
            )
        )
    }
}

extension WatchedEvent {
    /// What has come true with the use counted so far and was not told yet, with the use at which it did.
    mutating func crossed(_ warningMs: Int64?) -> [(ActivityOccasion, point: Int64)] {
        var crossed: [(ActivityOccasion, point: Int64)] = []
        if let point = warningPoint(warningMs), !isWarned, !isReached, usedMs >= point {
            isWarned = true
            crossed.append((.thresholdWarning, point))
        }
        if !isReached, usedMs >= thresholdMs {
            isReached = true
            crossed.append((.thresholdReached, thresholdMs))
        }
        return crossed
    }

    /// The use at which the next thing comes true.
    func nextPoint(_ warningMs: Int64?) -> Int64? {
        if isReached { return nil }
        if let point = warningPoint(warningMs), !isWarned { return point }
        return thresholdMs
    }
}
