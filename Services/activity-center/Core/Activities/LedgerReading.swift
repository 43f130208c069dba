import STContracts
import STStore

/// The ledger, read for what was used when: as it was seen here, and not what was brought here afterwards.
enum LedgerReading {
    /// No stretch is longer: one that is still so is cut by the day's first use of something else long before.
    private static let longestMs: Int64 = 8 * 86_400_000

    /// In their order, cut to the range.
    static func stretches(
        of member: String,
        fromWallMs: Int64,
        toWallMs: Int64,
        _ database: Database
    ) throws -> [Stretch] {
        var found: [Stretch] = []
        try database.query(
            """
            SELECT segment, presence, app, domain, category, boot_id, start_boot_ms, end_boot_ms, start_wall_ms,
                shielded
            FROM ledger
            WHERE member = ? AND start_wall_ms BETWEEN ? AND ? AND known_by IS NOT 'imported'
            ORDER BY row
            """,
            [.text(member), .integer(fromWallMs - longestMs), .integer(toWallMs)]
        ) { row in
            let stretch = Stretch(
                member: member,
                segment: try row.text(0),
                presence: Presence(rawValue: try row.text(1)) ?? .unknown,
                app: try row.optionalText(2),
                domain: try row.optionalText(3),
                category: try row.optionalText(4),
                isShielded: !row.isNull(9),
                bootId: try row.text(5),
                fromBootMs: try row.int(6),
                toBootMs: try row.int(7),
                fromWallMs: try row.int(8)
            )
            guard stretch.endWallMs > fromWallMs else { return }
            found.append(stretch.clipped(fromWallMs: fromWallMs, toWallMs: toWallMs))
        }
        return found
    }
}
