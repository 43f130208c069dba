import STContracts
import STPlatform
import STStore

/// Reads the sums of a period into segments: whole months and days directly, and hours at the edges.
struct UsageTally {
    let database: Database
    let owners: [Int64]
    let subjects: Set<Int64>?
    /// True if the report needs rows, or a sum of some things only.
    let readsUses: Bool
    /// True if there is one segment, so that whole months can be added.
    let isWhole: Bool
    let isByHour: Bool
    var totals: [Int: UsageTotals] = [:]
    /// The sums by segment, in the order of the groups.
    var sums: [Int: [UsageSum]] = [:]
    /// The sums of the selected things, if not all are selected.
    var chosen: [Int: UsageSum] = [:]
    var groups: UsageGroups
    /// Returns the segment of an hour. A `nil` beginning is any hour of a whole day.
    typealias Place = (_ start: WallTime?, _ day: Int64) -> Int?

    /// Adds the sums in the window, including open intervals.
    mutating func add(_ window: UsagePlan.Window, _ live: LiveUsage, at place: Place) throws {
        for who in owners {
            let parts = try Parts(window, isByHour: isByHour) { try hourRanges(who, $0) }
            if let days = parts.days {
                try addDays(who, days: days, live: live, place: place)
                if readsUses { try addDayUses(who, days: days, place: place) }
            }
            for range in parts.hours {
                let days = try addHours(who, range: range, parts: parts, live: live, place: place)
                if readsUses { try addHourUses(who, range: range, days: days, place: place) }
            }
        }
        for (key, more) in live.fold.hours where owners.contains(key.owner) && window.contains(key.hour) {
            if let segment = place(key.hour.start, key.hour.day) {
                totals[segment, default: UsageTotals()] += more
            }
        }
        for (key, mark) in live.marks where owners.contains(key.owner) && window.contains(key.hour) {
            if let segment = place(key.hour.start, key.hour.day) {
                totals[segment, default: UsageTotals()].mark.merge(mark)
            }
        }
        guard readsUses else { return }
        for (key, sum) in live.fold.uses where owners.contains(key.owner) && window.contains(key.hour) {
            add(key.owner, thing: key.subject, sum: sum, segment: place(key.hour.start, key.hour.day))
        }
    }

    private mutating func add(_ who: Int64, thing: Int64, sum: UsageSum, segment: Int?) {
        guard let segment else { return }
        if let subjects {
            guard subjects.contains(thing) else { return }
            chosen[segment, default: UsageSum()] += sum
        }
        if let group = groups.group(who, thing) { sums[segment, default: []].add(sum, at: group) }
    }

    // MARK: - Days

    /// Returns, for each day, the start of its first and last hour in the range.
    private func hourRanges(_ who: Int64, _ starts: Range<Int64>) throws -> [Int64: ClosedRange<Int64>] {
        var days: [Int64: ClosedRange<Int64>] = [:]
        try database.query(
            // Rows: the hours asked for.
            "SELECT day, min(start), max(start) FROM hours WHERE who = ? AND start >= ? AND start < ? GROUP BY day",
            [.integer(who), .integer(starts.lowerBound), .integer(starts.upperBound)]
        ) { row in
            days[try row.int(0)] = try row.int(1)...row.int(2)
        }
        return days
    }

    private mutating func addDays(
        _ who: Int64,
        days: ClosedRange<Int64>,
        live: LiveUsage,
        place: Place
    ) throws {
        guard isWhole, let segment = place(nil, days.lowerBound) else {
            return try addEachDay(who, days: days, live: live, place: place)
        }
        var from = days.lowerBound
        for dirty in live.fold.dirty.filter({ $0.owner == who && days.contains($0.day) }).map(\.day).sorted()
        {
            if from < dirty { try addSum(who, days: from...(dirty - 1), segment: segment) }
            try addEachDay(who, days: dirty...dirty, live: live, place: place)
            from = dirty + 1
        }
        if from <= days.upperBound { try addSum(who, days: from...days.upperBound, segment: segment) }
    }

    /// Adds days with a sum by SQLite, because reading a year of rows into Swift takes ten times as long.
    private mutating func addSum(_ who: Int64, days: ClosedRange<Int64>, segment: Int) throws {
        let range: [SQLValue] = [.integer(who), .integer(days.lowerBound), .integer(days.upperBound)]
        try database.query(
            // Rows: the days asked for.
            "SELECT \(UsageTables.summed) FROM days WHERE who = ? AND day BETWEEN ? AND ? HAVING count(*) > 0",
            range
        ) { row in
            totals[segment, default: UsageTotals()] += try Self.totals(row, hasMarks: true)
        }
        try database.query(
            // Rows: the days asked for.
            """
            SELECT longest_start, longest FROM days WHERE who = ? AND day BETWEEN ? AND ?
            ORDER BY longest DESC, longest_start LIMIT 1
            """,
            range
        ) { row in
            let mark = UsageMark(
                longestStart: try row.optionalInt(0).map(WallTime.init),
                longest: .milliseconds(try row.int(1))
            )
            totals[segment, default: UsageTotals()].mark.merge(mark)
        }
    }

    private mutating func addEachDay(
        _ who: Int64,
        days: ClosedRange<Int64>,
        live: LiveUsage,
        place: Place
    ) throws {
        try database.query(
            // Rows: the days asked for.
            "SELECT \(UsageTables.columns), day FROM days WHERE who = ? AND day BETWEEN ? AND ?",
            [.integer(who), .integer(days.lowerBound), .integer(days.upperBound)]
        ) { row in
            let day = try row.int(13)
            guard let segment = place(nil, day) else { return }
            let isDirty = live.fold.dirty.contains(.init(owner: who, day: day))
            totals[segment, default: UsageTotals()] += try Self.totals(row, hasMarks: !isDirty)
        }
    }

    private mutating func addDayUses(_ who: Int64, days: ClosedRange<Int64>, place: Place) throws {
        let ofDays =
            // Rows: the days asked for; of a whole time, less than two months.
            "SELECT thing, ms, pickups, notifications, day FROM day_use WHERE who = ? AND day BETWEEN ? AND ?"
        guard isWhole, let segment = place(nil, days.lowerBound) else {
            return try addUses(who, sql: ofDays, range: days) { place(nil, $0) }
        }
        let newest = try database.first(
            "SELECT day FROM days WHERE who = ? ORDER BY day DESC LIMIT 1",
            [.integer(who)]
        ) { try $0.int(0) }
        guard let last = newest else { return }
        let byDays = Coarser(
            days,
            last: last,
            unit: UsageTables.month(ofDay:),
            start: UsageTables.firstDay(ofMonth:)
        )
        try addUses(who, sql: ofDays, parts: byDays, segment: segment)
        guard let months = byDays.whole else { return }
        let byMonths = Coarser(
            months,
            last: UsageTables.month(ofDay: last),
            unit: { $0 / 12 },
            start: { $0 * 12 }
        )
        try addUses(
            who,
            // Rows: the months asked for, less than two years.
            sql:
                "SELECT thing, ms, pickups, notifications, month FROM month_use WHERE who = ? AND month BETWEEN ? AND ?",
            parts: byMonths,
            segment: segment
        )
        guard let years = byMonths.whole else { return }
        try addUses(
            who,
            // Rows: the years asked for.
            sql:
                "SELECT thing, ms, pickups, notifications, year FROM year_use WHERE who = ? AND year BETWEEN ? AND ?",
            range: years
        ) { _ in segment }
    }

    private mutating func addUses(_ who: Int64, sql: String, parts: Coarser, segment: Int) throws {
        for range in parts.more { try addUses(who, sql: sql, range: range) { _ in segment } }
        for range in parts.less { try addUses(who, sql: sql, range: range, times: -1) { _ in segment } }
    }

    private mutating func addUses(
        _ who: Int64,
        sql: String,
        range: ClosedRange<Int64>,
        times: Int64 = 1,
        at place: (Int64) -> Int?
    ) throws {
        try database.query(
            sql,
            [.integer(who), .integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            let sum = try Self.sum(row)
            let signed = UsageSum(
                ms: sum.ms * times,
                pickups: sum.pickups * times,
                notifications: sum.notifications * times
            )
            add(who, thing: try row.int(0), sum: signed, segment: place(try row.int(4)))
        }
    }

    // MARK: - Hours

    private struct Hour: Hashable {
        var startS: Int64
        var offsetS: Int64
    }

    /// Adds hours. Returns the day of each hour that counts.
    private mutating func addHours(
        _ who: Int64,
        range: Range<Int64>,
        parts: Parts,
        live: LiveUsage,
        place: Place
    ) throws -> [Hour: Int64] {
        var days: [Hour: Int64] = [:]
        try database.query(
            // Rows: the hours asked for.
            """
            SELECT \(UsageTables.columns), start, offset, day FROM hours
            WHERE who = ? AND start >= ? AND start < ?
            """,
            [.integer(who), .integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            let (startS, day) = (try row.int(13), try row.int(15))
            guard parts.usesHours(ofDay: day), let segment = place(WallTime(ms: startS * 1000), day) else {
                return
            }
            days[Hour(startS: startS, offsetS: try row.int(14))] = day
            let isDirty = live.fold.dirty.contains(.init(owner: who, day: day))
            totals[segment, default: UsageTotals()] += try Self.totals(row, hasMarks: !isDirty)
        }
        return days
    }

    private mutating func addHourUses(
        _ who: Int64,
        range: Range<Int64>,
        days: [Hour: Int64],
        place: Place
    ) throws {
        try database.query(
            // Rows: the hours asked for.
            """
            SELECT thing, ms, pickups, notifications, start, offset FROM hour_use
            WHERE who = ? AND start >= ? AND start < ?
            """,
            [.integer(who), .integer(range.lowerBound), .integer(range.upperBound)]
        ) { row in
            let startS = try row.int(4)
            guard let day = days[Hour(startS: startS, offsetS: try row.int(5))] else { return }
            add(
                who,
                thing: try row.int(0),
                sum: try Self.sum(row),
                segment: place(WallTime(ms: startS * 1000), day)
            )
        }
    }

    private static func sum(_ row: borrowing Row) throws -> UsageSum {
        UsageSum(ms: try row.int(1), pickups: try row.int(2), notifications: try row.int(3))
    }

    private static func totals(_ row: borrowing Row, hasMarks: Bool) throws -> UsageTotals {
        var totals = UsageTotals(
            used: .milliseconds(try row.int(0)),
            idle: .milliseconds(try row.int(1)),
            locked: .milliseconds(try row.int(2)),
            away: .milliseconds(try row.int(3)),
            suspended: .milliseconds(try row.int(4)),
            unobserved: .milliseconds(try row.int(5)),
            shielded: .milliseconds(try row.int(6)),
            pickups: try row.int(7),
            idlePickups: try row.int(8),
            notifications: try row.int(9)
        )
        if hasMarks {
            totals.mark = UsageMark(
                firstPickup: try row.optionalInt(10).map(WallTime.init),
                longestStart: try row.optionalInt(11).map(WallTime.init),
                longest: .milliseconds(try row.int(12))
            )
        }
        return totals
    }

    /// The division of a period into whole days and hours.
    ///
    /// A day is read whole if all its hours are in the period. Other days are read by hours.
    struct Parts {
        private(set) var days: ClosedRange<Int64>?
        /// The ranges of hours, in seconds.
        private(set) var hours: [Range<Int64>] = []
        private let window: UsagePlan.Window

        /// `lived(range)` returns, for each day, the start of its first and last hour in the range.
        init(
            _ window: UsagePlan.Window,
            isByHour: Bool,
            lived: (Range<Int64>) throws -> [Int64: ClosedRange<Int64>]
        ) rethrows {
            self.window = window
            let fromS = LocalHours.floor(window.from.ms + 999, 1000) / 1000
            let toS = LocalHours.floor(window.to.ms + 999, 1000) / 1000
            guard fromS < toS else { return }
            guard !isByHour else {
                hours = [fromS..<toS]
                return
            }
            // Every day between these is whole, in any time zone.
            let margin = UsageTables.marginS
            let first = LocalHours.floor(fromS + margin + Self.dayS - 1, Self.dayS) / Self.dayS
            let last = LocalHours.floor(toS - margin, Self.dayS) / Self.dayS - 1
            let time = fromS..<toS
            if first <= last {
                let low = try lived((fromS - Self.edgeS)..<(first * Self.dayS + margin))
                let high = try lived(((last + 1) * Self.dayS - margin)..<(toS + Self.edgeS))
                add(first...last, before: low, after: high, within: time)
            } else {
                let near = try lived((fromS - Self.edgeS)..<(toS + Self.edgeS))
                let whole = near.filter { Self.isWhole($0.value, time) }.keys.sorted()
                guard let middle = whole.first else {
                    hours = [time]
                    return
                }
                add(middle...middle, before: near, after: near, within: time)
            }
        }

        private static let dayS: Int64 = 86_400
        /// No day that touches a moment begins or ends further from it than this.
        private static let edgeS: Int64 = 2 * 86_400

        private static func isWhole(_ span: ClosedRange<Int64>, _ time: Range<Int64>) -> Bool {
            span.lowerBound >= time.lowerBound && span.upperBound < time.upperBound
        }

        private mutating func add(
            _ sure: ClosedRange<Int64>,
            before: [Int64: ClosedRange<Int64>],
            after: [Int64: ClosedRange<Int64>],
            within time: Range<Int64>
        ) {
            var (low, high) = (sure.lowerBound, sure.upperBound)
            while let span = before[low - 1], Self.isWhole(span, time) { low -= 1 }
            while let span = after[high + 1], Self.isWhole(span, time) { high += 1 }
            let (from, to) = (max(low, window.days.lowerBound), min(high, window.days.upperBound))
            if from <= to { days = from...to }
            func touches(_ days: [Int64: ClosedRange<Int64>]) -> [Range<Int64>] {
                days.filter { usesHours(ofDay: $0.key) }
                    .map { ($0.value.lowerBound..<($0.value.upperBound + 1)).clamped(to: time) }
                    .filter { !$0.isEmpty }
            }
            let parts = [touches(before.filter { $0.key < low }), touches(after.filter { $0.key > high })]
            hours = parts.compactMap { ranges in
                guard let from = ranges.map(\.lowerBound).min(), let to = ranges.map(\.upperBound).max()
                else {
                    return nil
                }
                return from..<to
            }
            // The two edges of a short period can contain the same hours.
            if hours.count == 2, hours[0].upperBound > hours[1].lowerBound {
                hours = [hours[0].lowerBound..<max(hours[0].upperBound, hours[1].upperBound)]
            }
        }

        func usesHours(ofDay day: Int64) -> Bool {
            window.days.contains(day) && days?.contains(day) != true
        }
    }

    /// Replaces days by months, or months by years.
    ///
    /// If most days of a month are inside the range, the whole month is added and the others are subtracted.
    struct Coarser {
        private(set) var whole: ClosedRange<Int64>?
        private(set) var more: [ClosedRange<Int64>] = []
        private(set) var less: [ClosedRange<Int64>] = []

        private let last: Int64

        /// `last` is the last day or month that has rows. Subtracting later ones costs nothing.
        init(_ range: ClosedRange<Int64>, last: Int64, unit: (Int64) -> Int64, start: (Int64) -> Int64) {
            self.last = last
            let units = unit(range.lowerBound)...unit(range.upperBound)
            var (from, to) = (units.lowerBound, units.upperBound)
            if !usesWhole(start(from)...(start(from + 1) - 1), range) { from += 1 }
            if units.count > 1, !usesWhole(start(to)...(start(to + 1) - 1), range) { to -= 1 }
            if from <= to { whole = from...to }
        }

        private mutating func usesWhole(_ unit: ClosedRange<Int64>, _ range: ClosedRange<Int64>) -> Bool {
            let inside = range.clamped(to: unit)
            let outside = [
                unit.lowerBound..<inside.lowerBound, (inside.upperBound + 1)..<(unit.upperBound + 1),
            ].filter { !$0.isEmpty }.map { ClosedRange($0) }
            guard outside.map(rows).reduce(0, +) < rows(inside) else {
                more.append(inside)
                return false
            }
            less += outside
            return true
        }

        private func rows(_ range: ClosedRange<Int64>) -> Int64 {
            max(0, min(range.upperBound, last) - range.lowerBound + 1)
        }
    }
}

extension [UsageSum] {
    fileprivate mutating func add(_ sum: UsageSum, at group: Int) {
        while count <= group { append(UsageSum()) }
        self[group] += sum
    }
}
