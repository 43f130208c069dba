/// The next intervals of a schedule, for a person.
package struct SchedulePreview: Sendable, Equatable {
    package var intervals: [Interval]
    /// One for each interval: `Sat 21 Nov 22:00 to Sun 22 Nov 07:00 (9 h)`.
    package var lines: [String]
    /// What is left unwatched by an oversight.
    package var note: String?

    package init(_ schedule: Schedule, count: Int, fromMs: Int64, zone: String) {
        intervals = schedule.preview(count: count, fromMs: fromMs, zone: zone)
        lines = intervals.map { Self.line($0, nowMs: fromMs) }
        note = schedule.unwatched
    }

    private static func line(_ interval: Interval, nowMs: Int64) -> String {
        let text = "\(interval.words(nowMs: nowMs)) (\(DurationText.of(interval.durationMs))"
        guard let rules = ZoneRules.of(interval.zone) else { return text + ")" }
        let change = rules.offsetMs(atMs: interval.endMs) - rules.offsetMs(atMs: interval.startMs)
        guard change != 0 else { return text + ")" }
        return text + ": the clocks go \(change > 0 ? "forward" : "back") by \(DurationText.of(abs(change))))"
    }
}
