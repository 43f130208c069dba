package import STPlatform

/// The times at which an activity is monitored.
///
/// The rules are those of Foundation's `nextTimePreservingSmallerComponents`, where it has one:
/// - An interval begins when the clock shows the start, and ends when it next shows the end. Equal ends mean 24 hours.
/// - A time that the clock skips in spring comes later by the length of the jump: 02:30 becomes 03:30.
/// - If the clock shows a time twice in autumn, the first one counts.
/// - An interval that the jump removes completely (02:30 to 03:00) does not exist on that day. The same applies to one that would
///   start on a day that a zone skipped. No interval extends into the next one.
/// - `days` is our own addition: an interval exists only if it starts on one of them. `except` reverses that for some dates.
package struct Schedule: Codable, Sendable, Hashable {
    package var start: DateFields
    package var end: DateFields
    package var repeats: Bool
    /// The time before start and end at which the warnings come.
    package var warning: DateFields?
    /// 1 is Sunday.
    package var days: [Int]?
    /// Dates such as `2026-12-25` on which `days` is reversed. No interval starts on such a date if its weekday is in `days`, and
    /// one does otherwise.
    package var except: [String]?

    package init(
        start: DateFields,
        end: DateFields,
        repeats: Bool,
        warning: DateFields? = nil,
        days: [Int]? = nil,
        except: [String]? = nil
    ) {
        self.start = start
        self.end = end
        self.repeats = repeats
        self.warning = warning
        self.days = days
        self.except = except
    }

    package static let exceptMax = 366
    /// Upper bound on the intervals in one preview.
    package static let previewMax = 366

    /// The time between two starts, without clock changes. `nil` if the schedule does not repeat.
    package var periodMs: Int64? {
        guard repeats else { return nil }
        if start.units.contains(.weekday) { return 7 * LocalClock.dayMs }
        return start.units.contains(.hour) ? LocalClock.dayMs : LocalClock.hourMs
    }

    /// The current interval, else the next. `nil` if there is none, or the schedule or the zone is invalid.
    package func interval(atOrAfter nowMs: Int64, zone: String) -> Interval? {
        guard let rule = try? ScheduleRule(self, zone: zone),
            let found = rule.span(atOrAfter: WallTime(ms: nowMs))
        else {
            return nil
        }
        return rule.interval(found)
    }

    /// The interval after another, in the other's zone unless a zone is given. `nil` if the schedule does not repeat.
    package func next(after interval: Interval, zone: String? = nil) -> Interval? {
        guard repeats, let rule = try? ScheduleRule(self, zone: zone ?? interval.zone),
            let found = rule.span(startingAtOrAfter: max(interval.endMs, interval.startMs &+ 1))
        else { return nil }
        return rule.interval(found)
    }

    /// The current interval and the next ones.
    package func preview(count: Int, fromMs: Int64, zone: String) -> [Interval] {
        var list: [Interval] = []
        var next = interval(atOrAfter: fromMs, zone: zone)
        while let found = next, list.count < min(count, Self.previewMax) {
            list.append(found)
            next = self.next(after: found)
        }
        return list
    }

    /// The end of an interval after the device has moved to another zone: the moment at which clocks there show the same end.
    ///
    /// Nothing changes for a schedule that names its own zone. The end may have passed already, and is never before the start.
    package func end(of interval: Interval, movedTo zone: String) -> Int64 {
        guard start.zone == nil, end.zone == nil, zone != interval.zone,
            let before = ZoneRules.load(interval.zone), let now = ZoneRules.load(zone)
        else { return interval.endMs }
        let end = now.moment(showing: before.localMs(atMs: interval.endMs)).firstMs
        return max(interval.startMs, end)
    }

    /// Returns the meaning of a schedule at a moment. Throws if it breaks a rule.
    ///
    /// The limits apply to the whole interval, not to its rest, so the interval may have begun long ago.
    package func check(
        limits: ScheduleLimits,
        nowMs: Int64,
        zone: String,
        field: String = "/schedule"
    ) throws -> ScheduleReading {
        let rule = try ScheduleRule(self, zone: zone, field: field)
        let warningMs = try warning?.warningMs(field: field + "/warning")
        guard let span = rule.span(atOrAfter: WallTime(ms: nowMs)) else {
            throw neverMatchesProblem(rule, field)
        }
        let interval = rule.interval(span)
        let text = "\(summary) in \(rule.zone)"
        let next = (interval.contains(nowMs) ? "now: " : "next: ") + interval.text(nowMs: nowMs)
        // For dates, both the local clock and the elapsed time are plausible measures, so use the one that satisfies the limit.
        let lengths =
            repeats || start.units.isDisjoint(with: .dates)
            ? [span.shown.ms] : [span.shown.ms, interval.durationMs]
        guard (lengths.max() ?? 0) >= limits.minMs else {
            throw Problem(
                "activity.interval_too_short",
                """
                An interval must last at least \
                \(TextFormat.exactDuration(ms: limits.minMs), "exactDuration"), but this one lasts \
                \(TextFormat.exactDuration(ms: lengths.max() ?? 0), "exactDuration2"). Screen Time read it \
                as: \(text, "text"), \(next, "next").
                """,
                field: field
            )
        }
        guard (lengths.min() ?? 0) <= limits.maxMs else {
            throw Problem(
                "activity.interval_too_long",
                """
                An interval can last at most \(TextFormat.exactDuration(ms: limits.maxMs), "exactDuration"), \
                but this one lasts \(TextFormat.exactDuration(ms: lengths.min() ?? 0), "exactDuration2"). \
                Screen Time read it as: \(text, "text"), \(next, "next").
                """,
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

    private func neverMatchesProblem(_ rule: ScheduleRule, _ field: String) -> Problem {
        let text =
            if case .once(let start) = rule.start, case .once(let end) = rule.end, end <= start {
                Message(
                    "activity.end-before-start",
                    "The end is not after the start. Screen Time read it as: \(summary, "schedule") in \(rule.zone, "zone")."
                )
            } else {
                Message(
                    "activity.no-future-date",
                    """
                    No future date matches. Give an end in the future. Screen Time read it as: \(summary, "schedule") in \
                    \(rule.zone, "zone").
                    """
                )
            }
        return Problem(
            ScheduleRule.code,
            text: text,
            field: field,
            details: ["start": start.listed, "end": end.listed]
        )
    }

    /// The longest gap between intervals that is probably an oversight.
    package static let unwatchedNoteMax = Duration.seconds(5 * 60)

    /// A text such as `22:00 to 07:00 on Mon, Tue`, or the list of the fields if they are not a valid schedule.
    package var summary: String {
        guard case .success(let start) = start.pattern(), case .success(let end) = end.pattern() else {
            return listed
        }
        let names = Set(days ?? []).sorted().map { CalendarNames.shortDay($0, in: .english) }.joined(
            separator: ", "
        )
        return "\(start.summary) to \(end.summary)" + (names.isEmpty ? "" : " on \(names)")
    }

    /// All fields that are set: `start hour 22, minute 0; end hour 7`.
    var listed: String {
        let zones = [start.zone, end.zone].compactMap(\.self).filter { ZoneRules.load($0) != nil }
        return "start \(start.listed); end \(end.listed)"
            + (zones.first.map { "; zone \($0)" } ?? "")
            + (days.map { "; days " + $0.prefix(8).map(String.init).joined(separator: " ") } ?? "")
            + (except.map { "; except " + $0.prefix(3).map { String($0.prefix(10)) }.joined(separator: " ") }
                ?? "")
            + (repeats ? "; repeats" : "")
    }

    /// The time from the end of one interval of a repeating schedule to the start of the next. `nil` if there is none.
    package var unwatchedGap: Duration? {
        guard repeats, case .success(let start) = start.pattern(), case .success(let end) = end.pattern(),
            let from = start.first(after: 0), let to = end.first(after: from),
            let next = start.first(after: from),
            next > to
        else { return nil }
        return .milliseconds(next - to)
    }

    /// A note if a repeating schedule almost fills its day, week or hour.
    package var unwatched: Message? {
        guard let gap = unwatchedGap, gap <= Self.unwatchedNoteMax,
            case .success(let start) = start.pattern()
        else { return nil }
        let (rest, end) = (MessageValue.duration(ms: gap.ms), start.fullSummary)
        switch start {
        case .hourly:
            return Message(
                "activity.unmonitored-of-hour",
                """
                \(summary, "schedule") leaves \(rest, "rest") of each hour unmonitored. To monitor the whole \
                hour, end at \(end, "end").
                """
            )
        case .weekly:
            return Message(
                "activity.unmonitored-of-week",
                """
                \(summary, "schedule") leaves \(rest, "rest") of each week unmonitored. To monitor the whole \
                week, end at \(end, "end").
                """
            )
        default:
            return Message(
                "activity.unmonitored-of-day",
                """
                \(summary, "schedule") leaves \(rest, "rest") of each day unmonitored. To monitor the whole \
                day, end at \(end, "end").
                """
            )
        }
    }
}

extension SchedulePattern {
    /// A text such as `22:00`, `Mon 22:00` or `Fri 20 Nov 2026 22:00`.
    var summary: String {
        switch self {
        case .hourly(let past): "xx" + CalendarStrings.time(past.ms).dropFirst(2)
        case .daily(let time): CalendarStrings.time(time.ms)
        case .weekly(let weekday, let time):
            "\(CalendarNames.shortDay(weekday, in: .english)) \(CalendarStrings.time(time.ms))"
        case .monthly(let day, let time): "day \(day) \(CalendarStrings.time(time.ms))"
        case .yearly(let month, let day, let time):
            "\(day) \(CalendarNames.shortMonth(month, in: .english)) \(CalendarStrings.time(time.ms))"
        case .once(let localMs): CalendarStrings.moment(localMs)
        }
    }

    /// The text with seconds, because it is shown beside an end with seconds.
    var fullSummary: String {
        let text = summary
        return text.count { $0 == ":" } == 1 ? text + ":00" : text
    }
}

extension Interval {
    /// A text such as `Sat 21 Nov 22:00 to Sun 22 Nov 07:00`, with the year if it is not the current one.
    package func text(nowMs: Int64? = nil) -> String {
        let known = ZoneRules.firstMs...ZoneRules.lastMs
        guard let rules = ZoneRules.load(zone), known.contains(startMs), known.contains(endMs) else {
            return "\(startMs) to \(endMs)"
        }
        let now = nowMs.flatMap { known.contains($0) ? rules.localMs(atMs: $0) : nil }
        return CalendarStrings.moment(rules.localMs(atMs: startMs), yearOf: now) + " to "
            + CalendarStrings.moment(rules.localMs(atMs: endMs), yearOf: now)
    }
}

/// The next intervals of a schedule, for a person.
package struct SchedulePreview: Sendable, Equatable {
    package var intervals: [Interval]
    /// One line for each interval: `Sat 21 Nov 22:00 to Sun 22 Nov 07:00 (9 h)`.
    package var lines: [String]
    /// A note about a gap that is probably an oversight.
    package var note: Message?

    package init(_ schedule: Schedule, count: Int, fromMs: Int64, zone: String) {
        intervals = schedule.preview(count: count, fromMs: fromMs, zone: zone)
        lines = intervals.map { Self.line($0, now: WallTime(ms: fromMs)) }
        note = schedule.unwatched
    }

    private static func line(_ interval: Interval, now: WallTime) -> String {
        let text = "\(interval.text(nowMs: now.ms)) (\(TextFormat.exactDuration(ms: interval.durationMs))"
        guard let rules = ZoneRules.load(interval.zone) else { return text + ")" }
        let change = rules.offsetMs(atMs: interval.endMs) - rules.offsetMs(atMs: interval.startMs)
        guard change != 0 else { return text + ")" }
        return text
            + ": the clocks go \(change > 0 ? "forward" : "back") by \(TextFormat.exactDuration(ms: abs(change))))"
    }
}

/// The interpretation of a schedule.
package struct ScheduleReading: Sendable, Equatable {
    /// The current interval, else the next.
    package var interval: Interval
    /// A text such as `22:00 to 07:00 in Europe/Berlin, next: Sat 21 Nov 22:00 to Sun 22 Nov 07:00`.
    package var text: String
    /// A note for a person who may have intended the whole day.
    package var unwatched: Message?
    package var warningMs: Int64?
}

/// The minimum and maximum length of an interval. The defaults are Apple's values.
package struct ScheduleLimits: Codable, Sendable, Hashable {
    package var minMs: Int64
    package var maxMs: Int64

    package init(minMs: Int64 = 15 * 60_000, maxMs: Int64 = 7 * 86_400_000) {
        self.minMs = minMs
        self.maxMs = maxMs
    }
}

/// One half-open interval of a schedule: `endMs` is not part of it.
package struct Interval: Codable, Sendable, Hashable {
    package var startMs: Int64
    package var endMs: Int64
    /// The zone in which it was computed.
    package var zone: String

    package init(startMs: Int64, endMs: Int64, zone: String) {
        self.startMs = startMs
        self.endMs = endMs
        self.zone = zone
    }

    package var durationMs: Int64 { endMs - startMs }

    package func contains(_ wallMs: Int64) -> Bool { startMs <= wallMs && wallMs < endMs }
}
