import STContracts
import STReportCore

/// The last reports that were made, until others take their place.
struct PageShelf {
    struct Made {
        var app: String
        /// All whose use it may show.
        var people: [String]
        /// Of the figures that it was made of.
        var generation: Int64
        /// A page as JSON.
        var bytes: [UInt8]

        /// One at least, so that whoever fetches a page gets its end.
        var pieces: Int { max(1, (bytes.count + ReportRender.pieceBytes - 1) / ReportRender.pieceBytes) }

        func piece(_ number: Int64) -> ArraySlice<UInt8>? {
            guard (0..<Int64(pieces)).contains(number) else { return nil }
            let start = Int(number) * ReportRender.pieceBytes
            return bytes[start..<min(bytes.count, start + ReportRender.pieceBytes)]
        }
    }

    /// The one that was used last is the last.
    private var kept: [(report: String, made: Made)] = []

    mutating func keep(_ made: Made, as report: String) {
        if kept.count >= ReportLimits.pages { kept.removeFirst() }
        kept.append((report, made))
    }

    mutating func page(_ report: String) -> Made? {
        guard let index = kept.firstIndex(where: { $0.report == report }) else { return nil }
        let entry = kept.remove(at: index)
        kept.append(entry)
        return entry.made
    }

    mutating func remove(_ report: String) { kept.removeAll { $0.report == report } }
}
