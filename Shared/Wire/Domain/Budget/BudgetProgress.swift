/// How far a budget is used up within one interval.
///
/// Warning and threshold are crossed once each. A warning that would come at the very moment of its threshold, because
/// use from before counts, is not given: it would be about nothing that is still to come.
package struct BudgetProgress: Codable, Sendable, Hashable {
    package private(set) var usedMs: Int64
    package private(set) var reached: Bool
    package private(set) var warned: Bool

    package init(usedMs: Int64 = 0, reached: Bool = false, warned: Bool = false) {
        self.usedMs = max(0, usedMs)
        self.reached = reached
        self.warned = warned
    }

    /// Counts use from before.
    ///
    /// What it crosses is due when the next stretch begins.
    package mutating func count(_ ms: Int64) { usedMs = Self.sum(usedMs, max(0, ms)) }

    /// What comes next if something that counts goes on from a moment without an end; all use until then is counted.
    package func nextCrossing(of budget: Budget, fromBootMs: Int64) -> BudgetCrossing? {
        crossings(of: budget, fromBootMs: fromBootMs, toBootMs: .max).first
    }

    /// Counts a stretch of use and tells what was crossed within it, its last moment included, in order.
    package mutating func take(fromBootMs: Int64, toBootMs: Int64, of budget: Budget) -> [BudgetCrossing] {
        guard fromBootMs <= toBootMs else { return [] }
        let found = crossings(of: budget, fromBootMs: fromBootMs, toBootMs: toBootMs)
        let length = toBootMs.subtractingReportingOverflow(fromBootMs)
        count(length.overflow ? .max : length.partialValue)
        reached = reached || usedMs >= budget.thresholdMs
        warned = warned || budget.warningAtMs.map { usedMs >= $0 } ?? false
        return found
    }

    private func crossings(of budget: Budget, fromBootMs: Int64, toBootMs: Int64) -> [BudgetCrossing] {
        guard !reached else { return [] }
        func crossing(_ kind: BudgetCrossing.Kind, at wantedMs: Int64) -> BudgetCrossing {
            let restMs = max(0, wantedMs - usedMs)
            return BudgetCrossing(
                kind: kind,
                atBootMs: Self.sum(fromBootMs, restMs),
                usedMs: usedMs + restMs
            )
        }
        let threshold = crossing(.threshold, at: budget.thresholdMs)
        var found = [threshold]
        if !warned, let wantedMs = budget.warningAtMs {
            let warning = crossing(.warning, at: wantedMs)
            if warning.atBootMs < threshold.atBootMs { found.insert(warning, at: 0) }
        }
        return found.filter { $0.atBootMs <= toBootMs }
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
