import Foundation
import ManagedSettings
package import STContracts

extension DeviceActivityFilter {
    /// As it travels.
    package var wire: ReportFilter {
        let (segment, interval): (ReportSegmentation, DateInterval) =
            switch segmentInterval {
            case .hourly(let interval): (.hour, interval)
            case .daily(let interval): (.day, interval)
            case .weekly(let interval): (.week, interval)
            }
        return ReportFilter(
            segment: segment,
            fromWallMs: interval.start.wallMs,
            toWallMs: interval.end.wallMs,
            users: users.map { $0.isAll ? .all : .children },
            models: devices.map { $0.models.map(\.wire).sorted { $0.rawValue < $1.rawValue } },
            applications: Self.sorted(applications),
            categories: Self.sorted(categories),
            webDomains: Self.sorted(webDomains),
            weekday: segment == .week ? Calendar.current.firstWeekday : nil
        )
    }

    private static func sorted<T>(_ tokens: Set<Token<T>>) -> [String] {
        tokens.map { $0.data.base64EncodedString() }.sorted()
    }
}

extension DeviceActivityFilter.SegmentInterval {
    /// Of a filter that came from outside: what it cannot say is taken for days.
    init(_ filter: ReportFilter) {
        let start = Date(wallMs: filter.fromWallMs)
        // An interval that ends before it starts would end the program.
        let interval = DateInterval(start: start, end: max(start, Date(wallMs: filter.toWallMs)))
        self =
            switch filter.segment {
            case .hour: .hourly(during: interval)
            case .week: .weekly(during: interval)
            case .day, .whole, .unknown: .daily(during: interval)
            }
    }
}

extension DeviceActivityData.Device.Model {
    var wire: ReportModel {
        switch self {
        case .iPhone: .iPhone
        case .iPod: .iPod
        case .iPad: .iPad
        case .mac: .mac
        }
    }

    init(_ model: ReportModel) {
        self =
            switch model {
            case .iPhone: .iPhone
            case .iPod: .iPod
            case .iPad: .iPad
            case .mac, .unknown: .mac
            }
    }
}

extension Date {
    /// What a number with a fraction holds exactly; no date of a report is beyond it.
    private static let wallMsMost = 9_007_199_254_740_992.0

    /// Rounded down; a date without end is the last that can be told.
    package var wallMs: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        guard !milliseconds.isNaN else { return 0 }
        return Int64(min(max(milliseconds, -Self.wallMsMost), Self.wallMsMost))
    }

    package init(wallMs: Int64) { self.init(timeIntervalSince1970: Double(wallMs) / 1000) }
}
