/// What an app asks for with DateComponents: the fields it set, and no others.
package struct DateFields: Codable, Sendable, Hashable {
    package var calendar: String?
    package var zone: String?
    package var era: Int?
    package var year: Int?
    package var month: Int?
    package var day: Int?
    package var hour: Int?
    package var minute: Int?
    package var second: Int?
    package var nanosecond: Int?
    package var weekday: Int?
    package var weekdayOrdinal: Int?
    package var quarter: Int?
    package var weekOfMonth: Int?
    package var weekOfYear: Int?
    package var yearForWeekOfYear: Int?

    package init() {}
}
