import STPlatform
import STStore

/// The tables of sums, and the statements that add to them.
enum UsageTables {
    /// All tables that are built from the stream `usage`.
    static let all = [
        "whos", "things", "boots", "zones", "spans", "hours", "days", "hour_use", "day_use", "month_use",
        "year_use", "open_use", "devices",
    ]

    static let totals = """
        used INTEGER NOT NULL, idle INTEGER NOT NULL, locked INTEGER NOT NULL, away INTEGER NOT NULL,
        suspended INTEGER NOT NULL, unobserved INTEGER NOT NULL, shielded INTEGER NOT NULL,
        pickups INTEGER NOT NULL, idle_pickups INTEGER NOT NULL, notifications INTEGER NOT NULL,
        first_pickup INTEGER, longest_start INTEGER, longest INTEGER NOT NULL
        """

    static let sums = "ms INTEGER NOT NULL, pickups INTEGER NOT NULL, notifications INTEGER NOT NULL"

    private static let added = [
        "used", "idle", "locked", "away", "suspended", "unobserved", "shielded", "pickups", "idle_pickups",
        "notifications",
    ]

    /// The columns in the order of the table.
    static let columns = (added + ["first_pickup", "longest_start", "longest"]).joined(separator: ", ")

    /// The columns of many rows summed into one, without the longest activity, for which `days` has its own query.
    static let summed = """
        sum(used), sum(idle), sum(locked), sum(away), sum(suspended), sum(unobserved), sum(shielded), sum(pickups),
        sum(idle_pickups), sum(notifications), min(first_pickup), NULL, 0
        """

    static let addHour = adding(to: "hours", ["who", "start", "offset"], ["day"])
    static let addDay = adding(to: "days", ["who", "day"])
    static let addHourUse = adding(to: "hour_use", sumsBy: ["who", "start", "offset", "thing"])
    static let addDayUse = adding(to: "day_use", sumsBy: ["who", "day", "thing"])
    static let addMonthUse = adding(to: "month_use", sumsBy: ["who", "month", "thing"])
    static let addYearUse = adding(to: "year_use", sumsBy: ["who", "year", "thing"])

    private static func adding(to table: String, _ keys: [String], _ more: [String] = []) -> String {
        let names = keys + more
        let places = Array(repeating: "?", count: names.count + 13).joined(separator: ", ")
        let sums = added.map { "\($0) = \($0) + excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(names.joined(separator: ", ")), \(columns)) VALUES (\(places))
            ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET \(sums),
                first_pickup = min(coalesce(first_pickup, excluded.first_pickup),
                    coalesce(excluded.first_pickup, first_pickup)),
                longest_start = CASE WHEN excluded.longest > longest
                    OR excluded.longest = longest AND excluded.longest_start < longest_start
                    THEN excluded.longest_start ELSE longest_start END,
                longest = max(longest, excluded.longest)
            """
    }

    private static func adding(to table: String, sumsBy keys: [String]) -> String {
        let names = keys.joined(separator: ", ")
        let places = Array(repeating: "?", count: keys.count).joined(separator: ", ")
        return """
            INSERT INTO \(table) (\(names), ms, pickups, notifications) VALUES (\(places), ?, ?, ?)
            ON CONFLICT (\(names)) DO UPDATE SET ms = ms + excluded.ms, pickups = pickups + excluded.pickups,
                notifications = notifications + excluded.notifications
            """
    }

    static func add(_ totals: UsageTotals, sql: String, key: [Int64], database: Database) throws {
        try database.run(sql, key.map { .integer($0) } + values(totals))
    }

    static func add(_ sum: UsageSum, sql: String, key: [Int64], database: Database) throws {
        try database.run(
            sql,
            key.map { .integer($0) } + [.integer(sum.ms), .integer(sum.pickups), .integer(sum.notifications)]
        )
    }

    private static func values(_ totals: UsageTotals) -> [SQLValue] {
        [
            .integer(totals.used.ms), .integer(totals.idle.ms), .integer(totals.locked.ms),
            .integer(totals.away.ms), .integer(totals.suspended.ms), .integer(totals.unobserved.ms),
            .integer(totals.shielded.ms), .integer(totals.pickups), .integer(totals.idlePickups),
            .integer(totals.notifications), SQLValue(totals.mark.firstPickup?.ms),
            SQLValue(totals.mark.longestStart?.ms), .integer(totals.mark.longest.ms),
        ]
    }

    /// Replaces the marks of a day by recomputed ones.
    static func set(_ marks: [LocalHour: UsageMark], of key: UsageAggregator.DayKey, _ database: Database)
        throws
    {
        // A day begins at most 16 hours before or after the day of UTC.
        let startS = key.day * 86_400
        try database.run(
            // Rows: the hours of one day.
            """
            UPDATE hours SET first_pickup = NULL, longest_start = NULL, longest = 0
            WHERE who = ? AND start BETWEEN ? AND ? AND day = ?
            """,
            [
                .integer(key.owner), .integer(startS - marginS), .integer(startS + 86_400 + marginS),
                .integer(key.day),
            ]
        )
        var whole = UsageMark()
        for (hour, mark) in marks {
            whole.merge(mark)
            try database.run(
                """
                UPDATE hours SET first_pickup = ?, longest_start = ?, longest = ?
                WHERE who = ? AND start = ? AND offset = ?
                """,
                values(mark) + [.integer(key.owner), .integer(hour.startS), .integer(hour.offsetS)]
            )
        }
        try database.run(
            "UPDATE days SET first_pickup = ?, longest_start = ?, longest = ? WHERE who = ? AND day = ?",
            values(whole) + [.integer(key.owner), .integer(key.day)]
        )
    }

    /// Upper bound on the offset of any time zone from UTC, in seconds.
    static let marginS: Int64 = 16 * 3600

    private static func values(_ mark: UsageMark) -> [SQLValue] {
        [SQLValue(mark.firstPickup?.ms), SQLValue(mark.longestStart?.ms), .integer(mark.longest.ms)]
    }

    static func month(ofDay day: Int64) -> Int64 {
        let date = CivilDate(daysSinceEpoch: Int(day))
        return Int64(date.year) * 12 + Int64(date.month) - 1
    }

    static func firstDay(ofMonth month: Int64) -> Int64 {
        Int64(CivilDate(year: Int(month / 12), month: Int(month % 12) + 1, day: 1).daysSinceEpoch)
    }
}
