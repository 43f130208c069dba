package import DeviceActivity
import Foundation

extension DeviceActivityFilter.SegmentInterval {
    /// The days of the week that `date` lies in, as the calendar has weeks here.
    package static func thisWeek(_ date: Date = .now, calendar: Calendar = .current) -> Self {
        let week = calendar.dateInterval(of: .weekOfYear, for: date)
        return .daily(during: week ?? DateInterval(start: calendar.startOfDay(for: date), end: date))
    }
}
