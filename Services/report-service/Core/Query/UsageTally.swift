import STContracts
import STPlatform
import STStore

/// Reads sums of a time into segments: whole months and days as such, and hours at the edges.
struct UsageTally {
    let database: Database
    let whos: [Int64]
    let things: Set<Int64>?
    /// Whether rows are wanted, or a sum of some things alone.
    let readsUses: Bool
    /// Whether one segment takes everything, so that whole months can be added.
    let isWhole: Bool
    let isByHour: Bool
    var totals: [Int: UsageTotals] = [:]
    /// By segment, in the order of the groups.
    var sums: [Int: [UsageSum]] = [:]
    /// The sums of the things that were asked for, where not all were.
    var chosen: [Int: UsageSum] = [:]
    var groups: UsageGroups
    /// Where an hour belongs; nil beginning: any of a whole day.
    typealias Place = (_ startMs: Int64?, _ day: Int64) -> Int?

    /// Adds up what lies in the window, with what is still open.
    mutating func add(_ window: UsagePlan.Window, _ live: LiveUsage, at place: Place) throws {
        for who in whos {
            let parts = try Parts(window, isByHour: isByHour) { try lived(who, $0) }
            if let days = parts.days {
                try addDays(who, days, live, place)
                if readsUses { try addDayUses(who, days, place) }
            }
            for range in parts.hours {
                let days = try addHours(who, range, parts, live, place)
                if readsUses { try addHourUses(who, range, days, place) }
            }
        }
        for (key, more) in live.fold.hours where whos.contains(key.who) && window.holds(key.hour) {
            if let segment = place(key.hour.startMs, key.hour.day) {
                totals[segment, default: UsageTotals()] += more
            }
        }
        for (key, mark) in live.marks where whos.contains(key.who) && window.holds(key.hour) {
            if let segment = place(key.hour.startMs, key.hour.day) {
                totals[segment, default: UsageTotals()].mark.take(mark)
            }
        }
        guard readsUses else { return }
        for (key, sum) in live.fold.uses where whos.contains(key.who) && window.holds(key.hour) {
            add(key.who, key.thing, sum, place(key.hour.startMs, key.hour.day))
        }
    }

    private mutating func add(_ who: Int64, _ thing: Int64, _ sum: UsageSum, _ segment: Int?) {
        guard let segment else { return }
        if let things {
            guard things.contains(thing) else { return }
            chosen[segment, default: UsageSum()] += sum
        }
        if let group = groups.group(who, thing) { sums[segment, default: []].add(sum, at: group) }
    }

    // MARK: - Days

    /// For each day, the start of its first and last hour in the range.
    private func lived(_ who: Int64, _ starts: Range<Int64>) throws -> [Int64: ClosedRange<Int64>] {
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
        _ days: ClosedRange<Int64>,
        _ live: LiveUsage,
        _ place: Place
    ) throws {
        guard isWhole, let segment = place(nil, days.lowerBound) else {
            return try addEachDay(who, days, live, place)
        }
        var from = days.lowerBound
        for dirty in live.fold.dirty.filter({ $0.who == who && days.contains($0.day) }).map(\.day).sorted() {
            if from < dirty { try addSum(who, from...(dirty - 1), segment) }
            try addEachDay(who, dirty...dirty, live, place)
            from = dirty + 1
        }
        if from <= days.upperBound { try addSum(who, from...days.upperBound, segment) }
    }

    /// Summed up by SQLite: a year of rows through Swift takes ten times as long.
    private mutating func addSum(_ who: Int64, _ days: ClosedRange<Int64>, _ segment: Int) throws {
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
            let mark = UsageMark(longestStartMs: try row.optionalInt(0), longestMs: try row.int(1))
            totals[segment, default: UsageTotals()].mark.take(mark)
        }
    }

    private mutating func addEachDay(
        _ who: Int64,
        _ days: ClosedRange<Int64>,
        _ live: LiveUsage,
        _ place: Place
    ) throws {
        try database.query(
            // Rows: the days asked for.
            "SELECT \(UsageTables.columns), day FROM days WHERE who = ? AND day BETWEEN ? AND ?",
            [.integer(who), .integer(days.lowerBound), .integer(days.upperBound)]
        ) { row in
            let day = try row.int(13)
            guard let segment = place(nil, day) else { return }
            let isDirty = live.fold.dirty.contains(.init(who: who, day: day))
            totals[segment, default: UsageTotals()] += try Self.totals(row, hasMarks: !isDirty)
        }
    }

    private mutating func addDayUses(_ who: Int64, _ days: ClosedRange<Int64>, _ place: Place) throws {
        guard isWhole else { return try addDayUses(who, days, times: 1, place) }
        let months = Parts.Months(days)
        if let whole = months.whole {
            try database.query(
                // Rows: the months of the member; a row for each thing and month.
                """
                SELECT thing, sum(ms), sum(pickups), sum(notifications) FROM month_use
                WHERE who = ? AND month BETWEEN ? AND ? GROUP BY thing
                """,
                [.integer(who), .integer(whole.lowerBound), .integer(whole.upperBound)]
            ) { row in
                add(who, try row.int(0), try Self.sum(row), place(nil, days.lowerBound))
            }
        }
        for days in months.more { try addDayUses(who, days, times: 1, place) }
        for days in months.less { try addDayUses(who, days, times: -1, place) }
    }

    private mutating func addDayUses(
        _ who: Int64,
        _ days: ClosedRange<Int64>,
        times: Int64,
        _ place: Place
    ) throws {
        try database.query(
            // Rows: the days asked for, less than two months.
            "SELECT thing, ms, pickups, notifications, day FROM day_use WHERE who = ? AND day BETWEEN ? AND ?",
            [.integer(who), .integer(days.lowerBound), .integer(days.upperBound)]
        ) { row in
            let sum = try Self.sum(row)
            let signed = UsageSum(
                ms: sum.ms * times,
                pickups: sum.pickups * times,
                notifications: sum.notifications * times
            )
            add(who, try row.int(0), signed, place(nil, try row.int(4)))
        }
    }

    // MARK: - Hours

    private struct Hour: Hashable {
        var startS: Int64
        var offsetS: Int64
    }

    /// The day of each hour that counts.
    private mutating func addHours(
        _ who: Int64,
        _ range: Range<Int64>,
        _ parts: Parts,
        _ live: LiveUsage,
        _ place: Place
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
            guard parts.takesHours(ofDay: day), let segment = place(startS * 1000, day) else { return }
            days[Hour(startS: startS, offsetS: try row.int(14))] = day
            let isDirty = live.fold.dirty.contains(.init(who: who, day: day))
            totals[segment, default: UsageTotals()] += try Self.totals(row, hasMarks: !isDirty)
        }
        return days
    }

    private mutating func addHourUses(
        _ who: Int64,
        _ range: Range<Int64>,
        _ days: [Hour: Int64],
        _ place: Place
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
            add(who, try row.int(0), try Self.sum(row), place(startS * 1000, day))
        }
    }

    private static func sum(_ row: borrowing Row) throws -> UsageSum {
        UsageSum(ms: try row.int(1), pickups: try row.int(2), notifications: try row.int(3))
    }

    private static func totals(_ row: borrowing Row, hasMarks: Bool) throws -> UsageTotals {
        var totals = UsageTotals(
            usedMs: try row.int(0),
            idleMs: try row.int(1),
            lockedMs: try row.int(2),
            awayMs: try row.int(3),
            suspendedMs: try row.int(4),
            unobservedMs: try row.int(5),
            shieldedMs: try row.int(6),
            pickups: try row.int(7),
            idlePickups: try row.int(8),
            notifications: try row.int(9)
        )
        if hasMarks {
            totals.mark = UsageMark(
                firstPickupMs: try row.optionalInt(10),
                longestStartMs: try row.optionalInt(11),
                longestMs: try row.int(12)
            )
        }
        return totals
    }

    /// What is read as days, and what as hours.
    ///
    /// A day of which every hour lies within the time is read whole; of the others the hours decide.
    struct Parts {
        private(set) var days: ClosedRange<Int64>?
        /// In seconds.
        private(set) var hours: [Range<Int64>] = []
        private let window: UsagePlan.Window

        /// `lived(range)` returns, for each day, the start of its first and last hour in the range.
        init(
            _ window: UsagePlan.Window,
            isByHour: Bool,
            lived: (Range<Int64>) throws -> [Int64: ClosedRange<Int64>]
        ) rethrows {
            self.window = window
            let fromS = LivedTime.floor(window.fromMs + 999, 1000) / 1000
            let toS = LivedTime.floor(window.toMs + 999, 1000) / 1000
            guard fromS < toS else { return }
            guard !isByHour else {
                hours = [fromS..<toS]
                return
            }
            // The days of every zone that lie between these are whole.
            let margin = UsageTables.marginS
            let first = LivedTime.floor(fromS + margin + Self.dayS - 1, Self.dayS) / Self.dayS
            let last = LivedTime.floor(toS - margin, Self.dayS) / Self.dayS - 1
            let time = fromS..<toS
            if first <= last {
                let low = try lived((fromS - Self.edgeS)..<(first * Self.dayS + margin))
                let high = try lived(((last + 1) * Self.dayS - margin)..<(toS + Self.edgeS))
                take(first...last, low, high, within: time)
            } else {
                let near = try lived((fromS - Self.edgeS)..<(toS + Self.edgeS))
                let whole = near.filter { Self.isWhole($0.value, time) }.keys.sorted()
                guard let middle = whole.first else {
                    hours = [time]
                    return
                }
                take(middle...middle, near, near, within: time)
            }
        }

        private static let dayS: Int64 = 86_400
        /// No day that touches a time reaches further than this from its beginning or end.
        private static let edgeS: Int64 = 2 * 86_400

        private static func isWhole(_ span: ClosedRange<Int64>, _ time: Range<Int64>) -> Bool {
            span.lowerBound >= time.lowerBound && span.upperBound < time.upperBound
        }

        private mutating func take(
            _ sure: ClosedRange<Int64>,
            _ before: [Int64: ClosedRange<Int64>],
            _ after: [Int64: ClosedRange<Int64>],
            within time: Range<Int64>
        ) {
            var (low, high) = (sure.lowerBound, sure.upperBound)
            while let span = before[low - 1], Self.isWhole(span, time) { low -= 1 }
            while let span = after[high + 1], Self.isWhole(span, time) { high += 1 }
            let (from, to) = (max(low, window.days.lowerBound), min(high, window.days.upperBound))
            if from <= to { days = from...to }
            func touches(_ days: [Int64: ClosedRange<Int64>]) -> [Range<Int64>] {
                days.filter { takesHours(ofDay: $0.key) }
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
            // Two edges of a short time may touch the same hours.
            if hours.count == 2, hours[0].upperBound > hours[1].lowerBound {
                hours = [hours[0].lowerBound..<max(hours[0].upperBound, hours[1].upperBound)]
            }
        }

        func takesHours(ofDay day: Int64) -> Bool {
            window.days.contains(day) && days?.contains(day) != true
        }

        /// Days as months: where more than half of a month lies within the days, its other days are taken off again.
        struct Months {
            private(set) var whole: ClosedRange<Int64>?
            private(set) var more: [ClosedRange<Int64>] = []
            private(set) var less: [ClosedRange<Int64>] = []

            init(_ days: ClosedRange<Int64>) {
                var first = UsageTables.month(ofDay: days.lowerBound)
                var last = UsageTables.month(ofDay: days.upperBound)
                let (start, end) = (Self.start(ofMonth: first), Self.start(ofMonth: last + 1) - 1)
                if first == last {
                    let inside = days.upperBound - days.lowerBound + 1
                    guard end - start + 1 < 2 * inside else {
                        more = [days]
                        return
                    }
                    if start < days.lowerBound { less.append(start...(days.lowerBound - 1)) }
                    if days.upperBound < end { less.append((days.upperBound + 1)...end) }
                    whole = first...last
                    return
                }
                let second = Self.start(ofMonth: first + 1)
                if days.lowerBound - start >= second - days.lowerBound {
                    more.append(days.lowerBound...(second - 1))
                    first += 1
                } else if start < days.lowerBound {
                    less.append(start...(days.lowerBound - 1))
                }
                let latest = Self.start(ofMonth: last)
                if end - days.upperBound >= days.upperBound - latest + 1 {
                    more.append(latest...days.upperBound)
                    last -= 1
                } else if days.upperBound < end {
                    less.append((days.upperBound + 1)...end)
                }
                if first <= last { whole = first...last }
            }

            private static func start(ofMonth month: Int64) -> Int64 {
                let date = CivilDate(year: Int(month / 12), month: Int(month % 12) + 1, day: 1)
                return Int64(date.daysSinceEpoch)
            }
        }
    }
}

extension [UsageSum] {
    fileprivate mutating func add(_ sum: UsageSum, at group: Int) {
        while count <= group { append(UsageSum()) }
        self[group] += sum
    }
}
