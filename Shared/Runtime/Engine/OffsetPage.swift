package import STContracts
import STPlatform

/// A page of a list that is worked out anew for every request: `next` is where the following page begins.
package enum OffsetPage {
    /// As many rows as may stand in a page and fit into a reply once they are written out; a name may take
    /// six times its length there.
    ///
    /// Always one, or nobody could get past it.
    package static func slice<Row: WireBody>(_ all: [Row], next: String?) throws -> (
        rows: [Row], next: String?
    ) {
        let start = try next.map { text -> Int in
            guard let start = Int(text), start >= 0 else {
                throw Problem(
                    "page.invalid",
                    "Send back `next` exactly as the reply had it.",
                    field: "/next"
                )
            }
            return start
        }
        var rows: [Row] = []
        var bytes = 0
        for row in all.dropFirst(start ?? 0).prefix(BusLimits.pageRows) {
            bytes += try row.encodedBody().count
            if bytes > BusLimits.pageBytes, !rows.isEmpty { break }
            rows.append(row)
        }
        let (end, isBeyond) = (start ?? 0).addingReportingOverflow(rows.count)
        return (rows, !isBeyond && end < all.count && !rows.isEmpty ? String(end) : nil)
    }
}
