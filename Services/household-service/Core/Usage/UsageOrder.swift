import STContracts
import STPlatform

/// Checks that the usage intervals from one machine do not overlap for any person.
///
/// The state is in memory only. After a restart of household-service, the next interval of each person has no earlier one to
/// overlap.
struct UsageOrder: Sendable, Equatable {
    private static let startsMax = 8
    /// The number of times in a day that the clock of a machine may be set back.
    private static let setBacksMax = 8
    /// Within one boot, a clock that is corrected in small steps moves by less.
    private static let drift = Duration.seconds(300)

    /// The intervals of one boot.
    private struct Start: Sendable, Equatable {
        var bootId: String
        var bootEnd: BootTime
        var wallEnd: WallTime
        /// Wall time minus boot time, after the last accepted change of the clock.
        var offset: Duration
    }

    private struct SetBacks: Sendable, Equatable {
        var start: WallTime
        var count = 0
    }

    /// The latest boots, by member.
    private var starts: [String: [Start]] = [:]
    private var setBacks: [String: SetBacks] = [:]

    /// Starts a new check, for each part of an upload from the beginning. A machine may repeat any part, so each part is checked
    /// separately.
    mutating func begin() { starts = [:] }

    /// Returns false if the interval overlaps an earlier one. Imported intervals come in any order and count toward no limit.
    mutating func admit(_ row: Segment, at now: WallTime) -> Bool {
        guard row.knownBy != .imported else { return true }
        var known = starts[row.member] ?? []
        var end = Start(
            bootId: row.bootId,
            bootEnd: BootTime(ms: row.endBootMs),
            wallEnd: WallTime(ms: row.startWallMs + row.durationMs),
            offset: .milliseconds(row.startWallMs - row.startBootMs)
        )
        if let index = known.firstIndex(where: { $0.bootId == row.bootId }) {
            let before = known[index]
            guard BootTime(ms: row.startBootMs) >= before.bootEnd else { return false }
            if end.offset >= before.offset - Self.drift {
                end.offset = before.offset
            } else if !allowSetBack(row.member, at: now) {
                return false
            }
            end.wallEnd = max(end.wallEnd, before.wallEnd)
            known[index] = end
        } else {
            if let last = known.map(\.wallEnd).max(), WallTime(ms: row.startWallMs) < last {
                guard allowSetBack(row.member, at: now) else { return false }
                known = []
            }
            known = known.suffix(Self.startsMax - 1) + [end]
        }
        starts[row.member] = known
        return true
    }

    private mutating func allowSetBack(_ member: String, at now: WallTime) -> Bool {
        var all = setBacks[member] ?? SetBacks(start: now)
        if abs((now - all.start).ms) >= UsageRow.day.ms { all = SetBacks(start: now) }
        all.count += 1
        setBacks[member] = all
        return all.count <= Self.setBacksMax
    }
}
