import STContracts
import STDomain

/// The segments of a report in order, and the assignment of hours to segments.
struct UsagePlan {
    /// A part of the report: the hours of `days` in `[fromMs, toMs)`.
    struct Window {
        var segments: Range<Int>
        var fromMs: Int64
        var toMs: Int64
        var days: ClosedRange<Int64>

        func contains(_ hour: LocalHour) -> Bool {
            hour.startMs >= fromMs && hour.startMs < toMs && days.contains(hour.day)
        }
    }

    let query: UsageQuery
    /// The beginnings of hours. Empty for longer segments.
    private(set) var starts: [Int64] = []
    private var firstDay: Int64
    private var lastDay: Int64
    let count: Int

    /// `lived` are the recorded local days. They can begin before or end after the days of the report's own time zone.
    init(_ query: UsageQuery, lived: ClosedRange<Int64>?) {
        self.query = query
        firstDay = LocalHours.day(atMs: query.fromMs, query.rules)
        lastDay = LocalHours.day(atMs: query.toMs - 1, query.rules)
        switch query.segment {
        case .hour:
            var moment = query.fromMs
            while moment < query.toMs {
                starts.append(moment)
                moment = max(LocalHours.hour(atMs: moment, query.rules).endMs, moment + 1)
            }
            count = starts.count
        case .day, .week:
            firstDay = min(firstDay, lived?.lowerBound ?? firstDay)
            lastDay = max(lastDay, lived?.upperBound ?? lastDay)
            if query.segment == .week { firstDay = Self.weekStart(firstDay, query.weekday) }
            count = Int((lastDay - firstDay) / (query.segment == .week ? 7 : 1)) + 1
        case .whole, .unknown: count = 1
        }
    }

    /// Returns the segment of an hour. `startMs` is `nil` for a whole day.
    func segment(ofHourAtMs startMs: Int64?, day: Int64) -> Int? {
        switch query.segment {
        case .hour: startMs.flatMap { segment(atMs: $0) }
        case .day: (firstDay...lastDay).contains(day) ? Int(day - firstDay) : nil
        case .week: day >= firstDay && day <= lastDay ? Int((day - firstDay) / 7) : nil
        case .whole, .unknown: 0
        }
    }

    private func segment(atMs ms: Int64) -> Int? {
        guard let first = starts.first, ms >= first, ms < query.toMs else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= ms { low = middle } else { high = middle }
        }
        return low
    }

    func window(from index: Int, max limit: Int) -> Window {
        let segments = index..<min(count, index + limit)
        var window = Window(
            segments: segments,
            fromMs: query.fromMs,
            toMs: query.toMs,
            days: .min / 2 ... .max / 2
        )
        switch query.segment {
        case .hour:
            window.fromMs = starts[segments.lowerBound]
            window.toMs = segments.upperBound < starts.count ? starts[segments.upperBound] : query.toMs
        case .day, .week:
            let length: Int64 = query.segment == .week ? 7 : 1
            let first = firstDay + Int64(segments.lowerBound) * length
            window.days = first...(firstDay + Int64(segments.upperBound) * length - 1)
        case .whole, .unknown: break
        }
        return window
    }

    /// Returns the beginning and end of a segment, and its first day.
    func bounds(_ index: Int) -> (startMs: Int64, endMs: Int64, day: Int64) {
        switch query.segment {
        case .hour:
            let endMs = index + 1 < starts.count ? starts[index + 1] : query.toMs
            return (starts[index], endMs, LocalHours.day(atMs: starts[index], query.rules))
        case .day: return bounds(firstDay + Int64(index), 1)
        case .week:
            // A week is named by its first day within the report.
            let week = bounds(firstDay + Int64(index) * 7, 7)
            return (week.startMs, week.endMs, max(week.day, LocalHours.day(atMs: week.startMs, query.rules)))
        case .whole, .unknown: return (query.fromMs, query.toMs, firstDay)
        }
    }

    /// Returns the bounds of days in the time zone of the report, because a day can have taken place in several zones.
    private func bounds(_ day: Int64, _ count: Int64) -> (startMs: Int64, endMs: Int64, day: Int64) {
        let startMs = max(query.fromMs, LocalHours.startMs(ofDay: day, query.rules))
        let endMs = min(query.toMs, LocalHours.startMs(ofDay: day + count, query.rules))
        // A day that only travellers had is empty, at the beginning or the end of the report.
        return (min(startMs, query.toMs), max(endMs, min(startMs, query.toMs)), day)
    }

    private static func weekStart(_ day: Int64, _ weekday: Int64) -> Int64 {
        // 1970-01-01 was a Thursday, which is the fifth day from Sunday.
        let since = (day + 4 - (weekday - 1)) % 7
        return day - (since < 0 ? since + 7 : since)
    }
}
