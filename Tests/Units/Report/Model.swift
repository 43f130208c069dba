import STPlatform
import STStore
import STTestKit

@testable import STReportCore

/// Everything in the tables of a read model, under its names instead of its numbers.
struct Model: Equatable {
    private(set) var rows: [String] = []

    init(_ bench: CoreBench<ReportState>) throws {
        let names = bench.state.fold.names
        func who(_ number: Int64) -> String { "\(names.who(number).device)/\(names.who(number).member)" }
        func thing(_ number: Int64) -> String {
            let thing = names.thing(number)
            return "\(thing.app ?? "-")/\(thing.category ?? "-")/\(thing.domain ?? "-")"
        }
        for (table, keys) in [("hours", 3), ("days", 1)] {
            let columns = table == "hours" ? "start, offset, day" : "day"
            // What was taken back to nothing is as good as nothing.
            try bench.database.query("SELECT who, \(columns), \(UsageTables.columns) FROM \(table)") { row in
                let figures = try (1..<(keys + 14)).map { row.isNull($0) ? "-" : String(try row.int($0)) }
                rows.append("\(table) \(who(try row.int(0))) \(figures.joined(separator: " "))")
            }
        }
        for (table, columns) in [
            ("hour_use", "start, offset"), ("day_use", "day, day"), ("month_use", "month, month"),
        ] {
            try bench.database.query(
                """
                SELECT who, thing, \(columns), ms, pickups, notifications FROM \(table)
                WHERE ms <> 0 OR pickups <> 0 OR notifications <> 0
                """
            ) { row in
                let figures = try (2..<7).map { String(try row.int($0)) }.joined(separator: " ")
                rows.append("\(table) \(who(try row.int(0))) \(thing(try row.int(1))) \(figures)")
            }
        }
        try bench.database.query(
            "SELECT who, start_boot_ms, ms, kind, start_wall_ms, drift_ms, boot FROM spans"
        ) {
            row in
            let figures = try (1..<6).map { String(try row.int($0)) }.joined(separator: " ")
            rows.append("span \(who(try row.int(0))) \(names.boots[Int(try row.int(6)) - 1]) \(figures)")
        }
        rows.sort()
    }
}
