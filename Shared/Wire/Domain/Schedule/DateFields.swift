/// Date components as they travel: what was given is there, what was not is nil.
///
/// It has every field that Foundation's has, so that nothing is lost on the way to the place that judges it.
package struct DateFields: Codable, Sendable, Hashable {
    package var calendar: String?
    /// A name of IANA's, such as `Europe/Berlin`; nil means the zone of the device.
    package var zone: String?
    package var era: Int?
    package var year: Int?
    package var month: Int?
    package var day: Int?
    package var hour: Int?
    package var minute: Int?
    package var second: Int?
    package var nanosecond: Int?
    /// 1 is Sunday.
    package var weekday: Int?
    package var weekdayOrdinal: Int?
    package var quarter: Int?
    package var weekOfMonth: Int?
    package var weekOfYear: Int?
    package var yearForWeekOfYear: Int?
    package var dayOfYear: Int?

    package init(
        calendar: String? = nil,
        zone: String? = nil,
        year: Int? = nil,
        month: Int? = nil,
        day: Int? = nil,
        hour: Int? = nil,
        minute: Int? = nil,
        second: Int? = nil,
        weekday: Int? = nil
    ) {
        self.calendar = calendar
        self.zone = zone
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.weekday = weekday
    }

    /// Calendars whose days, months and years are those used here.
    package static let calendars = ["gregorian", "iso8601"]

    /// The fields that are set, largest first, under the names they have on the wire.
    var set: [(name: String, value: Int)] {
        let all: [(name: String, value: Int?)] = [
            ("era", era), ("year", year), ("quarter", quarter), ("month", month), ("week_of_year", weekOfYear),
            ("year_for_week_of_year", yearForWeekOfYear), ("week_of_month", weekOfMonth),
            ("day_of_year", dayOfYear), ("day", day), ("weekday", weekday), ("weekday_ordinal", weekdayOrdinal),
            ("hour", hour), ("minute", minute), ("second", second), ("nanosecond", nanosecond),
        ]
        return all.compactMap { field in field.value.map { (field.name, $0) } }
    }

    /// Whatever is set, however wrong: `hour 25, minute 0`.
    package var listed: String {
        let list = set.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return list.isEmpty ? "nothing" : list
    }
}
