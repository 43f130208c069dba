import STContracts

/// Checks that the usage intervals from one machine do not overlap for any person.
///
/// The state is in memory only. After a restart of household-service, the next interval of each person has no earlier one to
/// overlap.
struct UsageOrder: Sendable, Equatable {
    private static let startsMax = 8
    /// The number of times in a day that the clock of a machine may be set back.
    private static let setBacksMax = 8
    private static let dayMs: Int64 = 86_400_000
    /// Within one boot, a clock that is corrected in small steps moves by less.
    private static let driftMs: Int64 = 300_000

    /// The intervals of one boot.
    private struct Start: Sendable, Equatable {
        var bootId: String
        var endBootMs: Int64
        var endWallMs: Int64
        /// Wall time minus boot time, after the last accepted change of the clock.
        var offsetMs: Int64
    }

    private struct SetBacks: Sendable, Equatable {
        var sinceMs: Int64
        var count = 0
    }

    /// The latest boots, by member.
    private var starts: [String: [Start]] = [:]
    private var setBacks: [String: SetBacks] = [:]

    /// Starts a new check, for each part of an upload from the beginning. A machine may repeat any part, so each part is checked
    /// separately.
    mutating func begin() { starts = [:] }

    /// Returns false if the interval overlaps an earlier one. Imported intervals come in any order and count toward no limit.
    mutating func admit(_ row: Segment, nowMs: Int64) -> Bool {
        guard row.knownBy != .imported else { return true }
        var known = starts[row.member] ?? []
        var end = Start(
            bootId: row.bootId,
            endBootMs: row.endBootMs,
            endWallMs: row.startWallMs + row.durationMs,
            offsetMs: row.startWallMs - row.startBootMs
        )
        if let index = known.firstIndex(where: { $0.bootId == row.bootId }) {
            let before = known[index]
            guard row.startBootMs >= before.endBootMs else { return false }
            if end.offsetMs >= before.offsetMs - Self.driftMs {
                end.offsetMs = before.offsetMs
            } else if !allowSetBack(row.member, nowMs) {
                return false
            }
            end.endWallMs = max(end.endWallMs, before.endWallMs)
            known[index] = end
        } else {
            if let last = known.map(\.endWallMs).max(), row.startWallMs < last {
                guard allowSetBack(row.member, nowMs) else { return false }
                known = []
            }
            known = known.suffix(Self.startsMax - 1) + [end]
        }
        starts[row.member] = known
        return true
    }

    private mutating func allowSetBack(_ member: String, _ nowMs: Int64) -> Bool {
        var all = setBacks[member] ?? SetBacks(sinceMs: nowMs)
        if abs(nowMs - all.sinceMs) >= Self.dayMs { all = SetBacks(sinceMs: nowMs) }
        all.count += 1
        setBacks[member] = all
        return all.count <= Self.setBacksMax
    }
}
