import STPlatform

/// So much use of something within one interval.
package struct Budget: Codable, Sendable, Hashable {
    package var target: BudgetTarget
    package var thresholdMs: Int64
    /// How much use before the threshold the warning comes.
    package var warningMs: Int64?
    /// Whether use of the interval before monitoring began counts.
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

    /// The use at which the warning is due: zero, the first use, where it is as long as the threshold or longer.
    package var warningAtMs: Int64? {
        guard let warningMs, warningMs > 0 else { return nil }
        return warningMs >= thresholdMs ? 0 : thresholdMs - warningMs
    }

    package func check(field: String = "") throws {
        guard thresholdMs > 0 else { throw Self.noThreshold(field: field + "/threshold") }
        guard thresholdMs <= DateFields.durationMaxMs else {
            throw Problem(
                "activity.bad_threshold",
                "A threshold is at most \(DurationText.of(DateFields.durationMaxMs)).",
                field: field + "/threshold"
            )
        }
        guard (warningMs ?? 0) >= 0 else {
            throw Problem(
                "activity.bad_threshold",
                "A warning comes before the threshold: give a length of time that is not negative.",
                field: field + "/warning"
            )
        }
        let entries = target.apps.count + target.categories.count + target.domains.count
        guard entries <= BudgetTarget.entriesMax else {
            throw Problem(
                "activity.target_too_large",
                "At most \(BudgetTarget.entriesMax) apps, categories and sites count together; these are \(entries).",
                field: field + "/target"
            )
        }
    }

    static func noThreshold(field: String) -> Problem {
        Problem(
            "activity.bad_threshold",
            "A threshold of no time would be reached before anything is used. Give more than nothing, such as minute 30.",
            field: field
        )
    }
}
