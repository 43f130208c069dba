import STPlatform

extension Schedule {
    /// What is left out at the end of a day without being meant, at most.
    package static let unwatchedNoteMaxMs: Int64 = 5 * 60_000

    /// Such as `22:00 to 07:00 on Mon, Tue`, or the list of the fields where they are no schedule.
    package var words: String {
        guard case .success(let start) = start.pattern(), case .success(let end) = end.pattern() else {
            return listed
        }
        let names = Set(days ?? []).sorted().map { CalendarNames.shortDay($0) }.joined(separator: ", ")
        return "\(start.words) to \(end.words)" + (names.isEmpty ? "" : " on \(names)")
    }

    /// Everything that is set: `start hour 22, minute 0; end hour 7`.
    var listed: String {
        let zones = [start.zone, end.zone].compactMap(\.self).filter { ZoneRules.of($0) != nil }
        return "start \(start.listed); end \(end.listed)"
            + (zones.first.map { "; zone \($0)" } ?? "")
            + (days.map { "; days " + $0.prefix(8).map(String.init).joined(separator: " ") } ?? "")
            + (repeats ? "; repeats" : "")
    }

    /// How much a repeating schedule leaves out from the end of one interval to the start of the next; nil if nothing.
    package var unwatchedMs: Int64? {
        guard repeats, case .success(let start) = start.pattern(), case .success(let end) = end.pattern(),
            let from = start.first(after: 0), let to = end.first(after: from),
            let next = start.first(after: from),
            next > to
        else { return nil }
        return next - to
    }

    /// A note when a repeating schedule nearly fills its day, week or hour.
    package var unwatched: String? {
        guard let gap = unwatchedMs, gap <= Self.unwatchedNoteMaxMs,
            case .success(let start) = start.pattern()
        else { return nil }
        let each =
            switch start {
            case .hourly: "hour"
            case .weekly: "week"
            default: "day"
            }
        return "\(words) leaves \(DurationText.of(gap)) of each \(each) unwatched. "
            + "To watch all of it, end at \(start.fullWords)."
    }
}

extension SchedulePattern {
    /// `22:00`, `Mon 22:00`, `Fri 20 Nov 2026 22:00`.
    var words: String {
        switch self {
        case .hourly(let pastMs): "xx" + CalendarWords.time(pastMs).dropFirst(2)
        case .daily(let timeMs): CalendarWords.time(timeMs)
        case .weekly(let weekday, let timeMs):
            "\(CalendarNames.shortDay(weekday)) \(CalendarWords.time(timeMs))"
        case .monthly(let day, let timeMs): "day \(day) \(CalendarWords.time(timeMs))"
        case .yearly(let month, let day, let timeMs):
            "\(day) \(CalendarNames.shortMonth(month)) \(CalendarWords.time(timeMs))"
        case .once(let localMs): CalendarWords.moment(localMs)
        }
    }

    /// With seconds, because it stands beside an end that has some.
    var fullWords: String {
        let text = words
        return text.count { $0 == ":" } == 1 ? text + ":00" : text
    }
}

extension Interval {
    /// `Sat 21 Nov 22:00 to Sun 22 Nov 07:00`; the year where it is not the one of now.
    package func words(nowMs: Int64? = nil) -> String {
        let known = ZoneRules.firstMs...ZoneRules.lastMs
        guard let rules = ZoneRules.of(zone), known.contains(startMs), known.contains(endMs) else {
            return "\(startMs) to \(endMs)"
        }
        let now = nowMs.flatMap { known.contains($0) ? rules.localMs(atMs: $0) : nil }
        return CalendarWords.moment(rules.localMs(atMs: startMs), yearOf: now) + " to "
            + CalendarWords.moment(rules.localMs(atMs: endMs), yearOf: now)
    }
}
