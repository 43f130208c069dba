/// What is wrong with a row of the ledger.
package enum LedgerFaultReason: String, WireEnum {
    case contentChanged = "content_changed"
    case chainBroken = "chain_broken"
    case rowMissing = "row_missing"
    case rowsOverlap = "rows_overlap"
    case timesReversed = "times_reversed"
    case unreadable
    case unknown
}

/// The first row that is not as it was written.
package struct LedgerFault: WireBody, Codable, Equatable {
    package var row: Int64
    package var reason: LedgerFaultReason
    /// A sentence about it.
    package var text: String

    package init(row: Int64, reason: LedgerFaultReason, text: String) {
        self.row = row
        self.reason = reason
        self.text = text
    }
}

/// Checks the ledger against its chain of hashes, some rows at a time.
package enum UsageVerify: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// As the reply before had it; absent at the beginning.
        package var next: String?

        package init(next: String? = nil) { self.next = next }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Rows looked at since the beginning.
        package var checked: Int64
        package var total: Int64
        /// Of them, rows whose content their person had forgotten.
        package var forgotten: Int64
        package var fault: LedgerFault?
        /// The last link, hexadecimal, once all is checked: noted down elsewhere, it shows any later change.
        package var chain: String?
        package var next: String?

        package init(
            checked: Int64,
            total: Int64,
            forgotten: Int64,
            fault: LedgerFault? = nil,
            chain: String? = nil,
            next: String? = nil
        ) {
            self.checked = checked
            self.total = total
            self.forgotten = forgotten
            self.fault = fault
            self.chain = chain
            self.next = next
        }
    }

    package static let name = "usage.verify"
    package static let kind = RouteKind.query
    package static let summary = "Checks the rows of the ledger a page at a time and names the first bad one."
}
