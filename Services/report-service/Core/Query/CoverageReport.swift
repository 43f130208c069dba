import STContracts
import STPlatform
import STStore

/// Whose use is known, of which devices, from when to when.
enum CoverageReport {
    static func coverage(_ state: ReportState, _ nowMs: Int64, _ database: Database) throws
        -> ReportCoverage.Reply
    {
        let live = try LiveUsage(state, database)
        let known = try ranges(live, database)
        var members: [String: ClosedRange<Int64>] = [:]
        for (who, range) in known {
            let member = live.fold.names.who(who).member
            let before = members[member] ?? range
            members[member] = union(before, range)
        }
        let whole = members.values.reduce(nil as ClosedRange<Int64>?) { union($0 ?? $1, $1) }
        return ReportCoverage.Reply(
            members: members.sorted { $0.key < $1.key }.map {
                ReportMember(
                    member: $0.key,
                    since: RFC3339.text(wallMs: $0.value.lowerBound),
                    updatedAt: RFC3339.text(wallMs: min($0.value.upperBound, nowMs))
                )
            },
            devices: devices(state),
            since: whole.map { RFC3339.text(wallMs: $0.lowerBound) },
            // A clock that was once wrong has not told of the days to come.
            updatedAt: whole.map { RFC3339.text(wallMs: min($0.upperBound, nowMs)) }
        )
    }

    static func devices(_ state: ReportState) -> [ReportDevice] {
        let this = ReportDevice(device: ReportDevice.this, name: name(nil), model: .mac, isThis: true)
        let others = state.devices.values.sorted { ($0.name, $0.device) < ($1.name, $1.device) }.map {
            ReportDevice(device: $0.device, name: $0.name, model: $0.model, isThis: false)
        }
        return [this] + others
    }

    /// From when to when each one's use is known.
    static func ranges(_ live: LiveUsage, _ database: Database) throws -> [Int64: ClosedRange<Int64>] {
        var ranges = live.fold.seen
        try database.query("SELECT id, first_ms, last_ms FROM whos WHERE first_ms IS NOT NULL") { row in
            let (who, range) = (try row.int(0), try row.int(1)...row.int(2))
            ranges[who] = union(ranges[who] ?? range, range)
        }
        return ranges
    }

    private static func union(_ one: ClosedRange<Int64>, _ other: ClosedRange<Int64>) -> ClosedRange<Int64> {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }

    /// As it is known outside: this computer has a name there.
    static func id(_ device: String) -> String { device.isEmpty ? ReportDevice.this : device }

    static func name(_ language: String?) -> String {
        WordLanguage(of: language).pick("This computer", "이 컴퓨터")
    }
}
