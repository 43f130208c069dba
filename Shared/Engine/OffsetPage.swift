import STContracts
import STPlatform

/// A page of a list that is worked out anew for every request: `next` is where the following page begins.
package enum OffsetPage {
    package static func slice<Element>(_ all: [Element], next: String?) throws -> (
        rows: [Element], next: String?
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
        let rows = Array(all.dropFirst(start ?? 0).prefix(BusLimits.pageRows))
        let end = (start ?? 0).addingReportingOverflow(rows.count).partialValue
        return (rows, end < all.count && !rows.isEmpty ? String(end) : nil)
    }
}
