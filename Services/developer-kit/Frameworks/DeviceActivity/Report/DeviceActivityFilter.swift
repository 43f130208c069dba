public import Foundation
public import ManagedSettings
package import STContracts

public struct DeviceActivityFilter: Equatable, Sendable {
    public var segmentInterval: SegmentInterval

    /// Nil means the person who asks.
    public let users: Users?

    /// Nil means this device.
    public let devices: Devices?

    /// Without tokens of any kind everything counts.
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
        /// By the hour; today by default.
        case hourly(
            during: DateInterval = DateInterval(start: Calendar.current.startOfDay(for: .now), end: .now)
        )

        case daily(during: DateInterval)

        case weekly(during: DateInterval)
    }

    public struct Users: Hashable, Sendable {
        let isAll: Bool

        /// The children of the household.
        public static let children = Users(isAll: false)
        public static let all = Users(isAll: true)
    }

    public struct Devices: Hashable, Sendable {
        let models: Set<DeviceActivityData.Device.Model>

        public static let all = Devices([])

        /// Devices of these models; none means all.
        public init(_ models: Set<DeviceActivityData.Device.Model>) { self.models = models }
    }

    /// As it is sent.
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
    /// An unknown segmentation means days.
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
    /// The largest integer that a Double holds exactly; no date of a report is beyond it.
    private static let wallMsMost = 9_007_199_254_740_992.0

    /// Rounded down and clamped; NaN is 0.
    package var wallMs: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        guard !milliseconds.isNaN else { return 0 }
        return Int64(min(max(milliseconds, -Self.wallMsMost), Self.wallMsMost))
    }

    package init(wallMs: Int64) { self.init(timeIntervalSince1970: Double(wallMs) / 1000) }
}
