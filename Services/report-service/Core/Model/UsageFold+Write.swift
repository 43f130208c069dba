import STContracts
import STStore

/// From memory to the tables and back.
extension UsageFold {
    static let tables = """
        CREATE TABLE hours (
            who INTEGER NOT NULL, start INTEGER NOT NULL, offset INTEGER NOT NULL, day INTEGER NOT NULL,
            \(UsageTables.totals), PRIMARY KEY (who, start, offset)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE days (
            who INTEGER NOT NULL, day INTEGER NOT NULL, \(UsageTables.totals), PRIMARY KEY (who, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE hour_use (
            who INTEGER NOT NULL, start INTEGER NOT NULL, offset INTEGER NOT NULL, thing INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, start, offset, thing)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE day_use (
            who INTEGER NOT NULL, day INTEGER NOT NULL, thing INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, day, thing)
        ) STRICT, WITHOUT ROWID;
        -- Things first: a year is summed up without sorting.
        CREATE TABLE month_use (
            who INTEGER NOT NULL, thing INTEGER NOT NULL, month INTEGER NOT NULL,
            \(UsageTables.sums), PRIMARY KEY (who, thing, month)
        ) STRICT, WITHOUT ROWID;
        """

    static func load(_ database: Database) throws -> UsageFold {
        var fold = UsageFold()
        fold.names = try ReportNames.load(database)
        try database.query("SELECT segment FROM open_use") {
            fold.opened(try Segment.decodedBody(try $0.blob(0)))
        }
        fold.openChanges = []
        return fold
    }

    static func clear(_ database: Database) throws {
        for table in UsageTables.all { try database.run("DELETE FROM \(table)") }
    }

    mutating func write(_ database: Database) throws {
        try names.write(database)
        try book.write(database)
        let (days, dayUses, monthUses) = coarser()
        for (key, totals) in hours {
            let hour = key.hour
            try UsageTables.add(
                totals,
                UsageTables.addHour,
                [key.who, hour.startS, hour.offsetS, hour.day],
                database
            )
        }
        for (key, totals) in days {
            try UsageTables.add(totals, UsageTables.addDay, [key.who, key.day], database)
        }
        for (key, sum) in uses {
            let key = [key.who, key.hour.startS, key.hour.offsetS, key.thing]
            try UsageTables.add(sum, UsageTables.addHourUse, key, database)
        }
        for (key, sum) in dayUses { try UsageTables.add(sum, UsageTables.addDayUse, key, database) }
        for (key, sum) in monthUses { try UsageTables.add(sum, UsageTables.addMonthUse, key, database) }
        for key in dirty { try UsageTables.set(try marks(of: key, database), of: key, database) }
        try writeOpen(database)
        for (who, range) in seen {
            try database.run(
                """
                UPDATE whos SET first_ms = min(coalesce(first_ms, ?1), ?1), last_ms = max(coalesce(last_ms, ?2), ?2)
                WHERE id = ?3
                """,
                [.integer(range.lowerBound), .integer(range.upperBound), .integer(who)]
            )
        }
        hours.removeAll(keepingCapacity: true)
        uses.removeAll(keepingCapacity: true)
        dirty = []
        seen = [:]
    }

    private func coarser() -> (
        days: [DayKey: UsageTotals], dayUses: [[Int64]: UsageSum], monthUses: [[Int64]: UsageSum]
    ) {
        var days: [DayKey: UsageTotals] = [:]
        for (key, totals) in hours {
            days[DayKey(who: key.who, day: key.hour.day), default: UsageTotals()] += totals
        }
        var dayUses: [[Int64]: UsageSum] = [:]
        for (key, sum) in uses {
            dayUses[[key.who, key.hour.day, key.thing], default: UsageSum()] += sum
        }
        var monthUses: [[Int64]: UsageSum] = [:]
        for (key, sum) in dayUses {
            monthUses[[key[0], key[2], UsageTables.month(ofDay: key[1])], default: UsageSum()] += sum
        }
        return (days, dayUses, monthUses)
    }

    private mutating func writeOpen(_ database: Database) throws {
        for key in openChanges {
            let bindings: [SQLValue] = [.text(key.device), .text(key.member), .text(key.boot)]
            if let segment = open[key] {
                try database.run(
                    "INSERT OR REPLACE INTO open_use (device, member, boot_id, segment) VALUES (?, ?, ?, ?)",
                    bindings + [.blob(try segment.encodedBody())]
                )
            } else {
                try database.run(
                    "DELETE FROM open_use WHERE device = ? AND member = ? AND boot_id = ?",
                    bindings
                )
            }
        }
        openChanges = []
    }
}
