import STContracts
import STStore

/// What the ledger has around the rows that are brought in, of one member on one device.
///
/// Rows come in the order of their times as a rule, so a few hours are read at once.
struct KnownTime {
    private struct Span {
        var bootId: String
        var bootMs: Range<Int64>
        var wallMs: Range<Int64>

        init(_ row: Segment) {
            bootId = row.bootId
            bootMs = row.startBootMs..<row.endBootMs
            wallMs = row.startWallMs..<(row.startWallMs + row.durationMs)
        }

        /// Within one start of the machine its own clock says so, however the wall clock was set meanwhile.
        func overlaps(_ other: Span) -> Bool {
            wallMs.overlaps(other.wallMs) && (bootId != other.bootId || bootMs.overlaps(other.bootMs))
        }
    }

    /// Where more is known, less is read at once.
    private static let spansMax = 2_000
    private static let windowMs: Int64 = 6 * 3_600_000

    let member: String
    let device: String?
    private var range: Range<Int64> = 0..<0
    private var spans: [Span] = []
    /// By this request.
    private var added: [Span] = []

    init(member: String, device: String?) {
        self.member = member
        self.device = device
    }

    /// Whether something else is known of a part of its time.
    mutating func overlaps(_ row: Segment, _ database: Database) throws -> Bool {
        let span = Span(row)
        if span.wallMs.isEmpty { return false }
        if span.wallMs.lowerBound < range.lowerBound || span.wallMs.upperBound > range.upperBound {
            let from = span.wallMs.lowerBound
            try read(from..<max(span.wallMs.upperBound, from + Self.windowMs), database)
        }
        return spans.contains { $0.overlaps(span) } || added.contains { $0.overlaps(span) }
    }

    /// The row is in the ledger from now on, or would be.
    mutating func add(_ row: Segment) {
        if row.durationMs > 0 { added.append(Span(row)) }
    }

    private mutating func read(_ range: Range<Int64>, _ database: Database) throws {
        let found = try LedgerListing.touching(
            range,
            of: member,
            device: device,
            limit: Self.spansMax,
            database
        )
        self.range = range.lowerBound..<max(range.lowerBound, found.throughWallMs)
        spans = found.rows.map { Span($0) }
    }
}
