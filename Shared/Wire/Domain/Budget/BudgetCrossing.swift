/// The moment at which enough was used.
package struct BudgetCrossing: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case warning, threshold
    }

    package var kind: Kind
    package var atBootMs: Int64
    /// At that moment; more than asked for only where time from before counts.
    package var usedMs: Int64

    package init(kind: Kind, atBootMs: Int64, usedMs: Int64) {
        self.kind = kind
        self.atBootMs = atBootMs
        self.usedMs = usedMs
    }
}
