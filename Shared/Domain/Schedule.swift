/// When an activity is watched.
package struct Schedule: Codable, Sendable, Hashable {
    package var start: DateFields
    package var end: DateFields
    package var repeats: Bool
    package var warning: DateFields?
    /// Ours, not Apple's: the interval exists only when it starts on one of these days (1 is Sunday).
    package var days: [Int]?

    package init(
        start: DateFields,
        end: DateFields,
        repeats: Bool,
        warning: DateFields? = nil,
        days: [Int]? = nil
    ) {
        self.start = start
        self.end = end
        self.repeats = repeats
        self.warning = warning
        self.days = days
    }
}
