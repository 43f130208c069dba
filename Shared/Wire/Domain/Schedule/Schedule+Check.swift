import STPlatform

extension Schedule {
    /// Says what a schedule means at a moment, or which rule it breaks.
    ///
    /// The whole interval counts against the limits and not what is left of it, so one may have begun long ago.
    package func check(
        limits: ScheduleLimits,
        nowMs: Int64,
        zone: String,
        field: String = "/schedule"
    ) throws -> ScheduleReading {
        let rule = try ScheduleRule(self, zone: zone, field: field)
        let warningMs = try warning?.warningMs(field: field + "/warning")
        guard let span = rule.span(atOrAfter: nowMs) else { throw unmatched(rule, field) }
        let interval = rule.interval(span)
        let text = "\(words) in \(rule.zone)"
        let next = (interval.contains(nowMs) ? "now: " : "next: ") + interval.words(nowMs: nowMs)
        // Dates are measured by the clock's face or by the time that passes, whichever is kinder: both are meant.
        let lengths =
            repeats || start.units.isDisjoint(with: .dates)
            ? [span.shownMs] : [span.shownMs, interval.durationMs]
        guard (lengths.max() ?? 0) >= limits.minMs else {
            throw Problem(
                "activity.interval_too_short",
                "An interval has at least \(DurationText.of(limits.minMs)); this one has "
                    + "\(DurationText.of(lengths.max() ?? 0)). Understood: \(text), \(next).",
                field: field
            )
        }
        guard (lengths.min() ?? 0) <= limits.maxMs else {
            throw Problem(
                "activity.interval_too_long",
                "An interval has at most \(DurationText.of(limits.maxMs)); this one has "
                    + "\(DurationText.of(lengths.min() ?? 0)). Understood: \(text), \(next).",
                field: field
            )
        }
        return ScheduleReading(
            interval: interval,
            text: "\(text), \(next)",
            unwatched: unwatched,
            warningMs: warningMs
        )
    }

    private func unmatched(_ rule: ScheduleRule, _ field: String) -> Problem {
        let why =
            if case .once(let start) = rule.start, case .once(let end) = rule.end, end <= start {
                "The end is not after the start."
            } else {
                "The dates match no future date. Give an end that is still to come."
            }
        return Problem(
            ScheduleRule.code,
            "\(why) Understood: \(words) in \(rule.zone).",
            field: field,
            details: ["start": start.listed, "end": end.listed]
        )
    }
}
