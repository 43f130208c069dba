import Foundation
import ManagedSettings

/// A part of the use in one segment, with all that can be named.
struct ActivityRow: Hashable, Sendable {
    var category: ActivityCategory
    var application: Application?
    var webDomain: WebDomain?
    var usedMs: Int64
    var pickups: Int64
    var notifications: Int64

    static func sum(_ rows: [ActivityRow], _ part: (ActivityRow) -> Int64) -> Int64 {
        rows.reduce(0) { sum, row in
            let (whole, overflow) = sum.addingReportingOverflow(part(row))
            return overflow ? sum : whole
        }
    }

    static func seconds(_ rows: [ActivityRow]) -> TimeInterval { Double(sum(rows) { $0.usedMs }) / 1000 }

    /// The rows of each thing, the most used thing first; equals stay in the order in which they came.
    static func grouped<Key: Hashable>(
        _ rows: [ActivityRow],
        _ key: (ActivityRow) -> Key?
    ) -> [(Key, [ActivityRow])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, rows: [ActivityRow])] = []
        for row in rows {
            guard let key = key(row) else { continue }
            if let place = places[key] {
                groups[place].rows.append(row)
            } else {
                places[key] = groups.count
                groups.append((key, [row]))
            }
        }
        let used = groups.map { sum($0.rows) { $0.usedMs } }
        return groups.indices.sorted { (used[$1], $0) < (used[$0], $1) }.map {
            (groups[$0].key, groups[$0].rows)
        }
    }
}
