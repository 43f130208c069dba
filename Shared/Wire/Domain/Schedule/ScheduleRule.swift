import STPlatform

/// A schedule that was found valid, in a zone.
struct ScheduleRule: Sendable {
    /// An interval, and how long it is by the clock's face.
    struct Span: Sendable, Equatable {
        var startMs: Int64
        var endMs: Int64
        var shownMs: Int64
    }

    let start: SchedulePattern
    let end: SchedulePattern
    let zone: String
    let rules: ZoneRules
    /// Bit n is weekday n; zero means every day.
    let days: UInt8

    /// More than a day of hours may be left out at once, and never much more.
    private static let stepsMax = 100

    func interval(_ span: Span) -> Interval {
        Interval(startMs: span.startMs, endMs: span.endMs, zone: zone)
    }

    func span(atOrAfter nowMs: Int64) -> Span? {
        let (latest, next) = around(nowMs)
        if let latest, nowMs < latest.endMs { return latest }
        return next
    }

    func span(startingAtOrAfter ms: Int64) -> Span? { around(ms &- 1).next }

    /// The last interval that has started at a moment, and the first that has not.
    private func around(_ ms: Int64) -> (latest: Span?, next: Span?) {
        guard ms > ZoneRules.firstMs, ms < ZoneRules.lastMs else { return (nil, nil) }
        // After the clock was set back it has shown more than it shows now.
        let shown = rules.latestLocalMs(upToMs: ms)
        var latest: Span?
        var next: Span?
        var local = lastStart(atOrBefore: shown)
        var steps = 0
        while let at = local, latest == nil, steps < Self.stepsMax {
            if let span = span(from: at) {
                if span.startMs <= ms { latest = span } else { next = span }
            }
            local = lastStart(atOrBefore: at - 1)
            steps += 1
        }
        local = next == nil ? firstStart(after: shown) : nil
        while let at = local, next == nil, steps < 2 * Self.stepsMax {
            next = span(from: at)
            local = firstStart(after: at)
            steps += 1
        }
        return (latest, next)
    }

    private func lastStart(atOrBefore localMs: Int64) -> Int64? {
        var found = start.latest(atOrBefore: localMs)
        // A week has seven days, so the eighth is among those wanted or none is.
        for _ in 0..<7 {
            guard let local = found, !isWanted(local) else { return found }
            found = start.latest(atOrBefore: LocalClock.dayNumber(local) * LocalClock.dayMs - 1)
        }
        return found
    }

    private func firstStart(after localMs: Int64) -> Int64? {
        var found = start.first(after: localMs)
        for _ in 0..<7 {
            guard let local = found, !isWanted(local) else { return found }
            found = start.first(after: (LocalClock.dayNumber(local) + 1) * LocalClock.dayMs - 1)
        }
        return found
    }

    private func isWanted(_ localMs: Int64) -> Bool {
        days == 0 || days & (1 << LocalClock.weekday(localMs)) != 0
    }

    /// The interval whose start the clock shows so; nil where a change of the clock leaves nothing of it.
    private func span(from local: Int64) -> Span? {
        guard let startMs = startMs(local), let (endLocal, shownEnd) = end(after: local) else { return nil }
        var endMs = shownEnd.firstMs
        if case .once = end, endMs <= startMs, let again = shownEnd.againMs {
            // A timer set within the hour that comes twice starts in the first and ends in the second.
            endMs = again
        }
        // An end that the jump made later would reach into the next interval.
        if let nextMs = nextStartMs(after: local) { endMs = min(endMs, nextMs) }
        guard endMs > startMs else { return nil }
        return Span(startMs: startMs, endMs: endMs, shownMs: endLocal - local)
    }

    /// Nil for a start on a day that was left out, and for one of every hour in an hour that was left out: the next
    /// one comes at the same minutes.
    private func startMs(_ local: Int64) -> Int64? {
        let shown = rules.moment(showing: local)
        let missing = shown.missingMs
        return missing >= LocalClock.dayMs || (start.isHourly && missing > 0) ? nil : shown.firstMs
    }

    private func nextStartMs(after local: Int64) -> Int64? {
        var next = firstStart(after: local)
        for _ in 0..<Self.stepsMax {
            guard let at = next else { return nil }
            if let ms = startMs(at) { return ms }
            next = firstStart(after: at)
        }
        return nil
    }

    private func end(after local: Int64) -> (Int64, ZoneRules.Showing)? {
        if case .once(let only) = end { return (only, rules.moment(showing: only)) }
        var next = end.first(after: local)
        for _ in 0..<Self.stepsMax {
            guard let at = next else { return nil }
            let shown = rules.moment(showing: at)
            guard end.isHourly, shown.missingMs > 0 else { return (at, shown) }
            next = end.first(after: at)
        }
        return nil
    }
}
