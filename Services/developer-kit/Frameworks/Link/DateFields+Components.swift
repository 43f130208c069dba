package import Foundation
package import STDomain

extension DateFields {
    /// Creates the fields that are set in the components.
    package init(_ components: DateComponents) {
        self.init()
        calendar = components.calendar.map { Self.name(of: $0.identifier) }
        zone = Self.zone(of: components)
        era = components.era
        year = components.year
        month = components.month
        day = components.day
        hour = components.hour
        minute = components.minute
        second = components.second
        nanosecond = components.nanosecond
        weekday = components.weekday
        weekdayOrdinal = components.weekdayOrdinal
        quarter = components.quarter
        weekOfMonth = components.weekOfMonth
        weekOfYear = components.weekOfYear
        yearForWeekOfYear = components.yearForWeekOfYear
        dayOfYear = components.dayOfYear
    }

    package var components: DateComponents {
        var components = DateComponents(
            calendar: calendar.flatMap(Self.calendar),
            timeZone: zone.flatMap { TimeZone(identifier: $0) },
            era: era,
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second,
            nanosecond: nanosecond,
            weekday: weekday,
            weekdayOrdinal: weekdayOrdinal,
            quarter: quarter,
            weekOfMonth: weekOfMonth,
            weekOfYear: weekOfYear,
            yearForWeekOfYear: yearForWeekOfYear
        )
        components.dayOfYear = dayOfYear
        return components
    }

    /// Returns the time zone of the components. A calendar has the device's time zone by default, so its zone only counts if it
    /// differs.
    private static func zone(of components: DateComponents) -> String? {
        if let zone = components.timeZone { return zone.identifier }
        guard let zone = components.calendar?.timeZone, zone.identifier != TimeZone.current.identifier else {
            return nil
        }
        return zone.identifier
    }

    /// The names of calendars in CLDR.
    private static let names: [(Calendar.Identifier, String)] = [
        (.gregorian, "gregorian"), (.iso8601, "iso8601"), (.buddhist, "buddhist"), (.chinese, "chinese"),
        (.coptic, "coptic"), (.hebrew, "hebrew"), (.indian, "indian"), (.islamic, "islamic"),
        (.japanese, "japanese"), (.persian, "persian"), (.republicOfChina, "roc"),
    ]

    private static func name(of identifier: Calendar.Identifier) -> String {
        names.first { $0.0 == identifier }?.1 ?? String(describing: identifier)
    }

    private static func calendar(named name: String) -> Calendar? {
        names.first { $0.1 == name }.map { Calendar(identifier: $0.0) }
    }
}
