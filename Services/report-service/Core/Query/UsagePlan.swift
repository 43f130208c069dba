import STContracts
import STDomain
import STPlatform

/// The segments of a report in order, and the assignment of hours to segments.
struct UsagePlan {
    /// A part of the report: the hours of `days` in `[from, to)`.
    struct Window {
        var segments: Range<Int>
        var from: WallTime
        var to: WallTime
        var days: ClosedRange<Int64>

        func contains(_ hour: LocalHour) -> Bool {
            hour.start >= from && hour.start < to && days.contains(hour.day)
        }
    }

    let query: UsageQuery
    /// The beginnings of hours. Empty for longer segments.
    private(set) var starts: [WallTime] = []
    private var firstDay: Int64
    private var lastDay: Int64
    let count: Int

    /// `lived` are the recorded local days. They can begin before or end after the days of the report's own time zone.
    init(_ query: UsageQuery, lived: ClosedRange<Int64>?) {
        self.query = query
        firstDay = LocalHours.day(at: query.from, query.rules)
        lastDay = LocalHours.day(at: query.to - .milliseconds(1), query.rules)
        switch query.segment {
        case .hour:
            var moment = query.from
            while moment < query.to {
                starts.append(moment)
                moment = max(LocalHours.hour(at: moment, query.rules).end, moment + .milliseconds(1))
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

    /// Returns the segment of an hour. `start` is `nil` for a whole day.
    func segment(ofHourAt start: WallTime?, day: Int64) -> Int? {
        switch query.segment {
        case .hour: start.flatMap { segment(at: $0) }
        case .day: (firstDay...lastDay).contains(day) ? Int(day - firstDay) : nil
        case .week: day >= firstDay && day <= lastDay ? Int((day - firstDay) / 7) : nil
        case .whole, .unknown: 0
        }
    }

    private func segment(at moment: WallTime) -> Int? {
        guard let first = starts.first, moment >= first, moment < query.to else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= moment { low = middle } else { high = middle }
        }
        return low
    }

    func window(from index: Int, max limit: Int) -> Window {
        let segments = index..<min(count, index + limit)
        var window = Window(
            segments: segments,
            from: query.from,
            to: query.to,
            days: .min / 2 ... .max / 2
        )
        switch query.segment {
        case .hour:
            window.from = starts[segments.lowerBound]
            window.to = segments.upperBound < starts.count ? starts[segments.upperBound] : query.to
        case .day, .week:
            let length: Int64 = query.segment == .week ? 7 : 1
            let first = firstDay + Int64(segments.lowerBound) * length
            window.days = first...(firstDay + Int64(segments.upperBound) * length - 1)
        case .whole, .unknown: break
        }
        return window
    }

    /// Returns the beginning and end of a segment, and its first day.
    func bounds(_ index: Int) -> (start: WallTime, end: WallTime, day: Int64) {
        switch query.segment {
        case .hour:
            let end = index + 1 < starts.count ? starts[index + 1] : query.to
            return (starts[index], end, LocalHours.day(at: starts[index], query.rules))
        case .day: return bounds(firstDay + Int64(index), 1)
        case .week:
            // A week is named by its first day within the report.
            let week = bounds(firstDay + Int64(index) * 7, 7)
            return (week.start, week.end, max(week.day, LocalHours.day(at: week.start, query.rules)))
        case .whole, .unknown: return (query.from, query.to, firstDay)
        }
    }

    /// Returns the bounds of days in the time zone of the report, because a day can have taken place in several zones.
    private func bounds(_ day: Int64, _ count: Int64) -> (start: WallTime, end: WallTime, day: Int64) {
        let start = max(query.from, LocalHours.start(ofDay: day, query.rules))
        let end = min(query.to, LocalHours.start(ofDay: day + count, query.rules))
        // A day that only travellers had is empty, at the beginning or the end of the report.
        return (min(start, query.to), max(end, min(start, query.to)), day)
    }

    private static func weekStart(_ day: Int64, _ weekday: Int64) -> Int64 {
        // 1970-01-01 was a Thursday, which is the fifth day from Sunday.
        let since = (day + 4 - (weekday - 1)) % 7
        return day - (since < 0 ? since + 7 : since)
    }
}
