import STPlatform

/// An amount of use of something within one interval.
package struct Budget: Codable, Sendable, Hashable {
    package var target: BudgetTarget
    package var thresholdMs: Int64
    /// The use before the threshold at which the warning comes.
    package var warningMs: Int64?
    /// True if use of the interval before monitoring began counts.
    package var includesPast: Bool

    package init(
        target: BudgetTarget,
        thresholdMs: Int64,
        warningMs: Int64? = nil,
        includesPast: Bool = false
    ) {
        self.target = target
        self.thresholdMs = thresholdMs
        self.warningMs = warningMs
        self.includesPast = includesPast
    }

    /// The use at which the warning is due. Zero (the first use) if `warningMs` is at least as long as the threshold.
    package var warningAt: Duration? {
        guard let warningMs, warningMs > 0 else { return nil }
        return warningMs >= thresholdMs ? .zero : .milliseconds(thresholdMs - warningMs)
    }

    package func check(field: String = "") throws {
        guard thresholdMs > 0 else { throw Self.noThreshold(field: field + "/threshold") }
        guard thresholdMs <= DateFields.durationMax.ms else {
            throw Problem(
                "activity.bad_threshold",
                """
                A threshold must be at most \
                \(TextFormat.exactDuration(ms: DateFields.durationMax.ms), "exactDuration").
                """,
                field: field + "/threshold"
            )
        }
        guard (warningMs ?? 0) >= 0 else {
            throw Problem(
                "activity.bad_threshold",
                "A warning comes before the threshold. Give a length of time that is not negative.",
                key: "activity.bad_threshold.a-warning-comes",
                field: field + "/warning"
            )
        }
        let entries = target.apps.count + target.categories.count + target.domains.count
        guard entries <= BudgetTarget.entriesMax else {
            throw Problem(
                "activity.target_too_large",
                """
                At most \(BudgetTarget.entriesMax, "most") apps, categories and sites can be counted \
                together; you gave \(entries, "entries").
                """,
                field: field + "/target"
            )
        }
    }

    static func noThreshold(field: String) -> Problem {
        Problem(
            "activity.bad_threshold",
            "A threshold of zero would be reached before anything is used. Give a longer time, such as minute 30.",
            key: "activity.bad_threshold.a-threshold-of",
            field: field
        )
    }
}

/// The apps, categories and sites that count. An empty target means everything.
package struct BudgetTarget: Sendable, Hashable {
    package private(set) var apps: Set<String>
    package private(set) var categories: Set<String>
    /// The sites. Each includes all its subdomains.
    package private(set) var domains: Set<String>

    /// Upper bound on the entries of all three sets together.
    package static let entriesMax = 1000

    package init(apps: Set<String> = [], categories: Set<String> = [], domains: Set<String> = []) {
        self.apps = apps
        self.categories = categories
        self.domains = Set(domains.map(DomainName.normal))
    }

    package var isEverything: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    package func matches(app: String?, category: String?, domain: String?) -> Bool {
        if isEverything { return true }
        if let app, apps.contains(app) { return true }
        if let category, categories.contains(category) { return true }
        guard let domain, !domains.isEmpty else { return false }
        return DomainName.first(for: domain) { domains.contains($0) ? true : nil } ?? false
    }
}

extension BudgetTarget: Codable {
    private enum CodingKeys: String, CodingKey {
        case apps, categories, domains
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            apps: Set(try container.decodeIfPresent([String].self, forKey: .apps) ?? []),
            categories: Set(try container.decodeIfPresent([String].self, forKey: .categories) ?? []),
            domains: Set(try container.decodeIfPresent([String].self, forKey: .domains) ?? [])
        )
    }

    /// Encodes the entries in order, so that the same target always gives the same text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !apps.isEmpty { try container.encode(apps.sorted(), forKey: .apps) }
        if !categories.isEmpty { try container.encode(categories.sorted(), forKey: .categories) }
        if !domains.isEmpty { try container.encode(domains.sorted(), forKey: .domains) }
    }
}

/// The progress of a budget within one interval.
///
/// Warning and threshold are each crossed once. If earlier use makes the warning and the threshold due at the same moment, there is
/// no warning, because nothing is left to warn about.
package struct BudgetProgress: Codable, Sendable, Hashable {
    package private(set) var usedMs: Int64
    package private(set) var reached: Bool
    package private(set) var warned: Bool

    package init(usedMs: Int64 = 0, reached: Bool = false, warned: Bool = false) {
        self.usedMs = max(0, usedMs)
        self.reached = reached
        self.warned = warned
    }

    /// Counts earlier use.
    ///
    /// If it crosses the warning or the threshold, that is due at the beginning of the next interval of use.
    package mutating func count(_ ms: Int64) { usedMs = Self.sum(usedMs, max(0, ms)) }

    /// The next crossing if use continues from a moment without an end. All use until that moment must already be counted.
    package func nextCrossing(of budget: Budget, fromBootMs: Int64) -> BudgetCrossing? {
        crossings(of: budget, from: BootTime(ms: fromBootMs), to: .distantFuture).first
    }

    /// Counts an interval of use. Returns the crossings within it, including its last moment, in order.
    package mutating func add(fromBootMs: Int64, toBootMs: Int64, of budget: Budget) -> [BudgetCrossing] {
        guard fromBootMs <= toBootMs else { return [] }
        let found = crossings(of: budget, from: BootTime(ms: fromBootMs), to: BootTime(ms: toBootMs))
        let length = toBootMs.subtractingReportingOverflow(fromBootMs)
        count(length.overflow ? .max : length.partialValue)
        reached = reached || usedMs >= budget.thresholdMs
        warned = warned || budget.warningAt.map { $0 <= .milliseconds(usedMs) } ?? false
        return found
    }

    /// Subtracts use that was counted wrongly. Returns true if less than the threshold is left, so that it can be reached again.
    package mutating func subtract(_ ms: Int64, of budget: Budget) -> Bool {
        usedMs = max(0, usedMs - max(0, ms))
        warned = warned && budget.warningAt.map { $0 <= .milliseconds(usedMs) } ?? true
        defer { reached = reached && usedMs >= budget.thresholdMs }
        return reached && usedMs < budget.thresholdMs
    }

    private func crossings(of budget: Budget, from start: BootTime, to end: BootTime) -> [BudgetCrossing] {
        guard !reached else { return [] }
        func crossing(_ kind: BudgetCrossing.Kind, at wanted: Duration) -> BudgetCrossing {
            let rest = max(.zero, wanted - .milliseconds(usedMs))
            return BudgetCrossing(
                kind: kind,
                atBootMs: (start + rest).ms,
                usedMs: usedMs + rest.ms
            )
        }
        let threshold = crossing(.threshold, at: .milliseconds(budget.thresholdMs))
        var found = [threshold]
        if !warned, let wanted = budget.warningAt {
            let warning = crossing(.warning, at: wanted)
            if warning.atBootMs < threshold.atBootMs { found.insert(warning, at: 0) }
        }
        return found.filter { $0.atBootMs <= end.ms }
    }

    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// The moment at which the threshold or the warning was reached.
package struct BudgetCrossing: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case warning, threshold
    }

    package var kind: Kind
    package var atBootMs: Int64
    /// The use at that moment. Greater than the budget's value only if earlier use counts.
    package var usedMs: Int64

    package init(kind: Kind, atBootMs: Int64, usedMs: Int64) {
        self.kind = kind
        self.atBootMs = atBootMs
        self.usedMs = usedMs
    }
}
