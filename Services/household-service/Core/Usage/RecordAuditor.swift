import STContracts
import STPlatform

/// The household's notes about the records of a machine. The notes remain even if the machine's own files are changed.
package struct RecordAuditor: Codable, Sendable, Equatable {
    struct Note: Codable, Sendable, Equatable {
        var row: Int64
        var link: String
        var atMs: Int64
    }

    private static let linksMax = 8
    private static let linkBytes = 32
    private static let breaksMax = 8
    /// Number of failed comparisons in succession that is reported. If replies are lost, a machine compares its records with an
    /// older note, so a few failures are normal.
    static let evasionsMax = 200

    /// The notes by record.
    private(set) var notes: [String: Note] = [:]
    private(set) var breaks: [RecordBreak] = []
    /// For each record, the number of consecutive uploads that were not compared with the note.
    private var evasions: [String: Int]?

    var rows: [String: Int64] { notes.mapValues(\.row) }

    /// Records that a machine restarted its records without `rows` rows that it had sent before.
    mutating func recordMissing(_ rows: Int64, at moment: WallTime) {
        let at = RFC3339.text(wallMs: moment.ms)
        let row = notes[LinkedRecord.usage.rawValue]?.row ?? 0
        breaks.append(
            RecordBreak(record: .usage, row: row, notedAt: at, rows: row, foundAt: at, missing: rows)
        )
        breaks = breaks.suffix(Self.breaksMax)
    }

    /// Compares a machine's digests of its records with the notes, and notes the present ends of the records.
    mutating func compare(_ word: RecordDigest, at now: WallTime) throws {
        guard word.links.count <= Self.linksMax,
            word.links.allSatisfy({ $0.row > 0 && TextFormat.bytes(hex: $0.link)?.count == Self.linkBytes })
        else {
            throw Problem(
                "household.bad_link",
                """
                A link must have a row number of at least 1 and \(2 * Self.linkBytes, "bytes") hexadecimal \
                digits. A request can have at most \(Self.linksMax, "most") links.
                """,
                field: "/records/links"
            )
        }
        for record in LinkedRecord.allCases where record != .unknown {
            let name = record.rawValue
            let note = notes[name]
            let said = word.links.filter { $0.record == record }
            guard word.noted[name] == note?.row else {
                let isShown = said.contains { $0.row == note?.row && $0.link == note?.link }
                if !isShown { countMissing(record, at: now) }
                continue
            }
            evasions?[name] = nil
            let end = said.max { $0.row < $1.row }
            if let note, !said.contains(where: { $0.row == note.row && $0.link == note.link }) {
                breaks.append(
                    RecordBreak(
                        record: record,
                        row: note.row,
                        notedAt: RFC3339.text(wallMs: note.atMs),
                        rows: end?.row ?? 0,
                        foundAt: RFC3339.text(wallMs: now.ms)
                    )
                )
            }
            if note?.link != end?.link {
                notes[name] = end.map { Note(row: $0.row, link: $0.link, atMs: now.ms) }
            }
        }
        breaks = breaks.suffix(Self.breaksMax)
    }

    /// Counts an upload of all usage that contains no digests of the machine's records.
    mutating func recordMissingDigests(at now: WallTime) {
        for record in LinkedRecord.allCases where notes[record.rawValue] != nil {
            countMissing(record, at: now)
        }
    }

    /// Counts a missing comparison, and reports the machine after `evasionsMax` in succession.
    private mutating func countMissing(_ record: LinkedRecord, at now: WallTime) {
        let name = record.rawValue
        let count = (evasions?[name] ?? 0) + 1
        evasions = (evasions ?? [:]).merging([name: count]) { $1 }
        guard count == Self.evasionsMax else { return }
        let note = notes[name]
        breaks.append(
            RecordBreak(
                record: record,
                row: note?.row ?? 0,
                notedAt: RFC3339.text(wallMs: note?.atMs ?? now.ms),
                rows: 0,
                foundAt: RFC3339.text(wallMs: now.ms)
            )
        )
        breaks = breaks.suffix(Self.breaksMax)
    }
}
