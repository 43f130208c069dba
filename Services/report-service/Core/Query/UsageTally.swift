import STContracts
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
    var sums: [Int: [Int: UsageSum]] = [:]
    /// Of the things that were asked for.
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
        guard let segment, things?.contains(thing) != false else { return }
        chosen[segment, default: UsageSum()] += sum
        guard let group = groups.group(who, thing) else { return }
        sums[segment, default: [:]][group, default: UsageSum()] += sum
    }

    // MARK: - Days

    /// When the first and the last hour of each day begin that has hours there.
    private func lived(_ who: Int64, _ starts: Range<Int64>) throws -> [Int64: ClosedRange<Int64>] {
        var days: [Int64: ClosedRange<Int64>] = [:]
        try database.query(
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
        try database.query(
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
        // What was only used on days that were taken off again was not used.
        for segment in months.less.isEmpty ? [] : Array(sums.keys) {
            sums[segment] = sums[segment]?.filter { $0.value != UsageSum() }
        }
    }

    private mutating func addDayUses(
        _ who: Int64,
        _ days: ClosedRange<Int64>,
        times: Int64,
        _ place: Place
    ) throws {
        try database.query(
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
}
