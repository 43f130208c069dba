import FoundationEssentials
import FoundationInternationalization
import STContracts
import STPlatform
import STStore
import STTestKit

@testable import STReportCore

/// The contents of a read model's tables, with names instead of numbers.
struct Model: Equatable {
    private(set) var rows: [String] = []

    init(_ bench: CoreBench<ReportState>) throws {
        let names = bench.state.fold.names
        func who(_ number: Int64) -> String { "\(names.owner(number).device)/\(names.owner(number).member)" }
        func thing(_ number: Int64) -> String {
            let thing = names.subject(number)
            return "\(thing.app ?? "-")/\(thing.category ?? "-")/\(thing.domain ?? "-")"
        }
        for (table, keys) in [("hours", 3), ("days", 1)] {
            let columns = table == "hours" ? "start, offset, day" : "day"
            // A sum that was reduced to zero is equal to a missing one.
            try bench.database.query("SELECT who, \(columns), \(UsageTables.columns) FROM \(table)") { row in
                let figures = try (1..<(keys + 14)).map { row.isNull($0) ? "-" : String(try row.int($0)) }
                rows.append("\(table) \(who(try row.int(0))) \(figures.joined(separator: " "))")
            }
        }
        for (table, columns) in [
            ("hour_use", "start, offset"), ("day_use", "day, day"), ("month_use", "month, month"),
            ("year_use", "year, year"),
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

/// The sums of a ledger in a second, slow implementation: quarter hours with Foundation's calendar.
struct NaiveModel {
    struct Hour: Hashable {
        var startMs: Int64
        var offsetS: Int
    }

    var used: [Hour: Int64] = [:]
    var total: [String: Int64] = [:]
    var things: [String: Int64] = [:]
    var pickups: [Int64] = []
    var idlePickups = 0
    var pickupsOf: [String: Int64] = [:]
    var longestMs: Int64 = 0
    private let calendars: [String: Calendar]

    init(_ rows: [Segment]) {
        calendars = Dictionary(uniqueKeysWithValues: Set(rows.map(\.zone)).map { ($0, Self.calendar($0)) })
        for row in rows where row.durationMs > 0 { add(row) }
        let lanes = Dictionary(grouping: rows.filter { $0.durationMs > 0 }) {
            "\($0.device ?? "")/\($0.member)/\($0.bootId)"
        }
        for lane in lanes.values { addLane(lane.sorted { $0.startBootMs < $1.startBootMs }) }
        pickups.sort()
    }

    static func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    private func offset(_ ms: Int64, _ zone: String) -> Int {
        let date = Date(timeIntervalSince1970: Double(ms) / 1000)
        return calendars[zone]?.timeZone.secondsFromGMT(for: date) ?? 0
    }

    private mutating func add(_ row: Segment) {
        let kind = row.presence == .active && row.shielded == true ? "shielded" : row.presence.rawValue
        total[kind, default: 0] += row.durationMs
        guard kind == "active" else { return }
        things["\(row.member) \(row.app ?? "-") \(row.domain ?? "-")", default: 0] += row.durationMs
        var moment = row.startWallMs
        let end = row.startWallMs + row.durationMs
        while moment < end {
            // A quarter of an hour divides every hour, and no clock changes within one.
            let next = min(end, (moment / 900_000 + 1) * 900_000)
            used[hour(moment, row.zone), default: 0] += next - moment
            moment = next
        }
    }

    private func hour(_ ms: Int64, _ zone: String) -> Hour {
        let offset = offset(ms, zone)
        var startMs = ms
        while true {
            let before = (startMs - 1) / 900_000 * 900_000
            let local = startMs + Int64(offset) * 1000
            if startMs % 900_000 == 0, local % 3_600_000 == 0 || self.offset(startMs - 1, zone) != offset {
                break
            }
            startMs = before
        }
        return Hour(startMs: startMs, offsetS: offset)
    }

    private mutating func addLane(_ rows: [Segment]) {
        for (index, row) in rows.enumerated() where row.presence == .active {
            let before = index > 0 ? rows[index - 1] : nil
            let isNext = before?.endBootMs == row.startBootMs
            if before == nil || isNext && [.idle, .locked, .away, .suspended].contains(before?.presence) {
                pickups.append(row.startWallMs)
                let chain = rows[index...].enumerated().prefix { offset, next in
                    next.presence == .active
                        && (offset == 0 || rows[index + offset - 1].endBootMs == next.startBootMs)
                }.map(\.element)
                if let first = chain.first(where: { $0.app != nil && $0.shielded != true }) {
                    pickupsOf["\(row.member) \(first.app ?? "-") \(first.domain ?? "-")", default: 0] += 1
                } else {
                    idlePickups += 1
                }
            }
        }
        addLongest(rows)
    }

    /// Splits activity at each midnight, at travels and at changes of the clock.
    private mutating func addLongest(_ rows: [Segment]) {
        var (ms, end): (Int64, (boot: Int64, wall: Int64, zone: String, day: Int64)?) = (0, nil)
        for row in rows {
            guard row.presence == .active else {
                end = nil
                continue
            }
            var moment = row.startWallMs
            var boot = row.startBootMs
            while boot < row.endBootMs {
                let day = day(moment, row.zone)
                var cut = moment
                while cut < row.startWallMs + row.durationMs, self.day(cut, row.zone) == day {
                    cut = min(row.startWallMs + row.durationMs, (cut / 900_000 + 1) * 900_000)
                }
                let length = cut - moment
                let goesOn = end.map {
                    $0.boot == boot && $0.zone == row.zone && $0.day == day && abs($0.wall - moment) <= 1000
                }
                ms = goesOn == true ? ms + length : length
                longestMs = max(longestMs, ms)
                moment = cut
                boot += length
                end = (boot, moment, row.zone, day)
            }
        }
    }

    /// A day continues if the clocks change back over its midnight.
    private func day(_ ms: Int64, _ zone: String) -> Int64 {
        (0..<8).map { back in
            let moment = ms - Int64(back) * 900_000
            return (moment + Int64(offset(moment, zone)) * 1000) / 86_400_000
        }.max() ?? 0
    }
}
