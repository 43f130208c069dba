public import Foundation
public import ManagedSettings

/// Which use a report is about.
public struct DeviceActivityFilter: Equatable, Sendable {
    /// The stretches that use is put together by, and the time they lie in.
    public var segmentInterval: SegmentInterval

    /// Whose use; nil is that of the person who asks.
    public let users: Users?

    /// On which devices; nil is the one this runs on.
    public let devices: Devices?

    /// The apps that count.
    ///
    /// With no token of any kind everything counts.
    public var applications: Set<ApplicationToken>

    /// The categories that count.
    public var categories: Set<ActivityCategoryToken>

    /// The sites that count.
    public var webDomains: Set<WebDomainToken>

    /// The use of several people.
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

    /// The use of the person who asks.
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
}

extension DeviceActivityFilter {
    /// How long a segment is, and the time that all of them lie in.
    public enum SegmentInterval: Hashable, Sendable {
        /// By the hour; today, unless told otherwise.
        case hourly(
            during: DateInterval = DateInterval(start: Calendar.current.startOfDay(for: .now), end: .now)
        )

        /// By the day.
        case daily(during: DateInterval)

        /// By the week.
        case weekly(during: DateInterval)
    }

    /// Whose use.
    public struct Users: Hashable, Sendable {
        let isAll: Bool

        /// The children of the household.
        public static let children = Users(isAll: false)

        /// Everybody of the household.
        public static let all = Users(isAll: true)
    }

    /// Which devices.
    public struct Devices: Hashable, Sendable {
        let models: Set<DeviceActivityData.Device.Model>

        /// Every device.
        public static let all = Devices([])

        /// Devices of these models; none means all.
        public init(_ models: Set<DeviceActivityData.Device.Model>) { self.models = models }
    }
}
