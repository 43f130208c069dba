import STContracts

/// Checks that the usage intervals from one machine do not overlap for any person.
///
/// The state is in memory only. After a restart of household-service, the next interval of each person has no earlier one to overlap.
struct UsageOrder: Sendable, Equatable {
    private static let startsMax = 8
    /// The number of times that a machine's clock may be set back between boots.
    private static let setBacksMax = 4

    /// The end of the latest interval of one boot.
    private struct Start: Sendable, Equatable {
        var bootId: String
        var endBootMs: Int64
        var endWallMs: Int64
    }

    /// The latest boots, by member.
    private var starts: [String: [Start]] = [:]
    private var setBacks = 0

    /// Call this for each part of an upload from the beginning. A machine may repeat any part, so each part is checked separately.
    mutating func begin() { starts = [:] }

    /// Returns false if the interval overlaps an earlier one. Imported intervals come in any order and count toward no limit.
    mutating func admit(_ row: Segment) -> Bool {
        guard row.knownBy != .imported else { return true }
        var known = starts[row.member] ?? []
        let end = Start(
            bootId: row.bootId,
            endBootMs: row.endBootMs,
            endWallMs: row.startWallMs + row.durationMs
        )
        if let index = known.firstIndex(where: { $0.bootId == row.bootId }) {
            guard row.startBootMs >= known[index].endBootMs else { return false }
            known[index] = end
        } else {
            if let last = known.map(\.endWallMs).max(), row.startWallMs < last {
                guard setBacks < Self.setBacksMax else { return false }
                setBacks += 1
                known = []
            }
            known = known.suffix(Self.startsMax - 1) + [end]
        }
        starts[row.member] = known
        return true
    }
}
