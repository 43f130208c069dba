public import Foundation
public import ManagedSettings
package import STContracts

public struct DeviceActivityFilter: Equatable, Sendable {
    public var segmentInterval: SegmentInterval

    /// The people whose use is reported. `nil` means the person who runs the app.
    public let users: Users?

    /// The devices whose use is reported. `nil` means this device.
    public let devices: Devices?

    /// The apps, categories and sites that count. Without tokens of any kind, all use counts.
    public var applications: Set<ApplicationToken>
    public var categories: Set<ActivityCategoryToken>
    public var webDomains: Set<WebDomainToken>

    public init(
        segment: SegmentInterval = .hourly(),
        users: Users,
        devices: Devices,
        applications: Set<ApplicationToken> = [],
        categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = []
    ) {
        self.init(segment, users, devices, applications, categories, webDomains)
    }

    public init(
        segment: SegmentInterval = .hourly(),
        devices: Devices? = nil,
        applications: Set<ApplicationToken> = [],
        categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = []
    ) {
        self.init(segment, nil, devices, applications, categories, webDomains)
    }

    private init(
        _ segment: SegmentInterval,
        _ users: Users?,
        _ devices: Devices?,
        _ applications: Set<ApplicationToken>,
        _ categories: Set<ActivityCategoryToken>,
        _ webDomains: Set<WebDomainToken>
    ) {
        segmentInterval = segment
        self.users = users
        self.devices = devices
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }

    public enum SegmentInterval: Hashable, Sendable {
        /// One segment per hour. The default interval is today.
        case hourly(
            during: DateInterval = DateInterval(start: Calendar.current.startOfDay(for: .now), end: .now)
        )

        case daily(during: DateInterval)

        case weekly(during: DateInterval)
    }

    public struct Users: Hashable, Sendable {
        let isAll: Bool

        /// The children in the household.
        public static let children = Users(isAll: false)
        public static let all = Users(isAll: true)
    }

    public struct Devices: Hashable, Sendable {
        let models: Set<DeviceActivityData.Device.Model>

        public static let all = Devices([])

        /// Selects devices of these models. An empty set selects all devices.
        public init(_ models: Set<DeviceActivityData.Device.Model>) { self.models = models }
    }

    /// The filter as the frameworks send it.
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
    /// Creates the interval of a filter. An unknown segmentation results in daily segments.
    init(_ filter: ReportFilter) {
        let start = Date(wallMs: filter.fromWallMs)
        // `DateInterval` traps if the end is before the start.
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
    /// The largest integer that a `Double` represents exactly. No date in a report exceeds it.
    private static let wallMsMost = 9_007_199_254_740_992.0

    /// The milliseconds since 1970, rounded down and clamped. NaN becomes 0.
    package var wallMs: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        guard !milliseconds.isNaN else { return 0 }
        return Int64(min(max(milliseconds, -Self.wallMsMost), Self.wallMsMost))
    }

    package init(wallMs: Int64) { self.init(timeIntervalSince1970: Double(wallMs) / 1000) }
}
