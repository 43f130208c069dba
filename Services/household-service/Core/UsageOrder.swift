import STContracts

/// Whether the stretches that one machine sends can all be true: a person is at one place of a machine at a time.
///
/// Kept in memory only. After a restart of the household's service the next stretch of each person is the first one.
struct UsageOrder: Sendable, Equatable {
    private static let startsMax = 8
    /// How often the clock of a machine may have been set back between two of its starts.
    private static let setBacksMax = 4

    /// How far the stretches of one start of the machine go.
    private struct Start: Sendable, Equatable {
        var bootId: String
        var endBootMs: Int64
        var endWallMs: Int64
    }

    /// By member.
    private var starts: [String: [Start]] = [:]
    private var setBacks = 0

    /// A machine sends its records from the beginning. It may repeat any part of that, so only each part is compared with itself.
    mutating func begin() { starts = [:] }

    /// False if the stretch overlaps an earlier one. Imported stretches come in any order and count toward no limit.
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
