import STPlatform

extension DateFields {
    /// The longest threshold or warning, which no interval reaches.
    package static let durationMaxMs: Int64 = 366 * LocalClock.dayMs

    /// The fields as a length of time: days of 24 hours, hours, minutes and seconds, any number of each.
    package func durationMs(_ what: String, code: String, field: String) throws -> Int64 {
        let units: [(name: String, ms: Int64)] = [
            ("day", LocalClock.dayMs), ("hour", LocalClock.hourMs), ("minute", 60_000), ("second", 1000),
        ]
        func refused(_ why: String) -> Problem {
            Problem(
                code,
                "\(why) Give \(what) in days, hours, minutes or seconds, such as minute 30. Understood: \(listed).",
                field: field
            )
        }
        guard !set.isEmpty else { throw refused("The length of \(what) is empty.") }
        var totalMs: Int64 = 0
        for (name, value) in set {
            guard let unit = units.first(where: { $0.name == name }) else {
                throw refused("A length of time has no \(name).")
            }
            guard value >= 0 else { throw refused("A length of time is not negative.") }
            let part = Int64(value).multipliedReportingOverflow(by: unit.ms)
            let sum = totalMs.addingReportingOverflow(part.partialValue)
            guard !part.overflow, !sum.overflow, sum.partialValue <= Self.durationMaxMs else {
                throw refused("\(what) is longer than \(DurationText.of(Self.durationMaxMs)).")
            }
            totalMs = sum.partialValue
        }
        return totalMs
    }

    /// A threshold: more than nothing.
    package func thresholdMs(field: String = "/threshold") throws -> Int64 {
        let ms = try durationMs("the threshold", code: "activity.bad_threshold", field: field)
        guard ms > 0 else { throw Budget.noThreshold(field: field) }
        return ms
    }

    /// How long before something its warning comes; no time at all means no warning.
    package func warningMs(field: String = "/schedule/warning") throws -> Int64 {
        try durationMs("the warning", code: "activity.invalid_date_components", field: field)
    }
}
