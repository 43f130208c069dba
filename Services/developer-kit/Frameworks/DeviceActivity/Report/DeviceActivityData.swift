public import Foundation
public import ManagedSettings
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// The use of one person on one device.
public struct DeviceActivityData: Hashable, Sendable {
    public var user: User
    public var device: Device
    public var segmentInterval: DeviceActivityFilter.SegmentInterval

    /// The time up to which the use is known.
    public var lastUpdatedDate: Date

    let segments: SegmentReader

    public var activitySegments: DeviceActivityResults<ActivitySegment> { segments.results }

    /// Compares everything except the segments, which are read asynchronously.
    public static func == (one: Self, other: Self) -> Bool {
        one.user == other.user && one.device == other.device
            && one.segmentInterval == other.segmentInterval && one.lastUpdatedDate == other.lastUpdatedDate
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(user)
        hasher.combine(device)
        hasher.combine(segmentInterval)
        hasher.combine(lastUpdatedDate)
    }
}

extension DeviceActivityData {
    /// Returns the use that matches a filter, if the app has permission to read it.
    ///
    /// - Throws: A `DeviceActivityData.Error` during an iteration. The log contains the reason.
    public static func activityData(
        filteredBy filter: DeviceActivityFilter = .init(),
        using policy: Policy = .cached
    ) -> some AsyncSequence<DeviceActivityData, any Swift.Error> {
        activityData(filteredBy: filter, link: .current)
    }

    static func activityData(
        filteredBy filter: DeviceActivityFilter,
        link: ClientLink
    ) -> ThrowingActivityData {
        let filter = filter.wire
        let request = ReportData.Request(
            app: link.identity.app,
            member: link.identity.member,
            filter: filter
        )
        return ThrowingActivityData(filter: filter) { next in
            var request = request
            request.next = next
            return try await link.call(ReportData.self, to: .report, request)
        }
    }
}

extension DeviceActivityData {
    public struct User: Hashable, Sendable {
        public enum FamilyRole: Int, Hashable, Sendable {
            case individual, child
        }

        /// The id of the member in Screen Time.
        public var appleID: String?
        public var nameComponents: PersonNameComponents?
        public var role: FamilyRole

        package init(appleID: String?, nameComponents: PersonNameComponents?, role: FamilyRole) {
            self.appleID = appleID
            self.nameComponents = nameComponents
            self.role = role
        }
    }
}

extension DeviceActivityData {
    public struct Device: Hashable, Sendable {
        public enum Model: Int, Hashable, Sendable {
            case iPhone, iPod, iPad

            /// A computer. This is the model of this device unless the app's manifest sets another one.
            case mac
        }

        public var name: String?
        public var model: Model

        package init(name: String?, model: Model) {
            self.name = name
            self.model = model
        }
    }
}

extension DeviceActivityData {
    public struct ActivitySegment: Hashable, Sendable {
        public var dateInterval: DateInterval

        /// The time during which the screen was in use.
        public var totalActivityDuration: TimeInterval

        /// The longest uninterrupted use.
        public var longestActivity: DateInterval?

        /// The time of the first pickup of the device.
        public var firstPickup: Date?

        /// The number of pickups without any use.
        public var totalPickupsWithoutApplicationActivity: Int

        let rows: [ActivityRow]

        /// The categories, most used first.
        public var categories: DeviceActivityResults<CategoryActivity> {
            let rows = rows
            return DeviceActivityResults { CategoryActivity.all(of: rows) }
        }
    }
}

extension DeviceActivityData {
    public struct CategoryActivity: Hashable, Sendable {
        public var category: ActivityCategory

        /// The time during which the apps and sites of the category were in use.
        public var totalActivityDuration: TimeInterval

        let rows: [ActivityRow]

        /// The apps, most used first.
        public var applications: DeviceActivityResults<ApplicationActivity> {
            let rows = rows
            return DeviceActivityResults { ApplicationActivity.all(of: rows) }
        }

        /// The sites, most used first.
        public var webDomains: DeviceActivityResults<WebDomainActivity> {
            let rows = rows
            return DeviceActivityResults { WebDomainActivity.all(of: rows) }
        }

        static func all(of rows: [ActivityRow]) -> [CategoryActivity] {
            ActivityRow.grouped(rows) { $0.category }.map { category, rows in
                CategoryActivity(
                    category: category,
                    totalActivityDuration: ActivityRow.seconds(rows),
                    rows: rows
                )
            }
        }
    }
}

extension DeviceActivityData {
    public struct ApplicationActivity: Hashable, Sendable {
        /// The app with its name, id and token.
        public var application: Application
        public var totalActivityDuration: TimeInterval

        /// The number of pickups after which this app was the first one used.
        public var numberOfPickups: Int

        public var numberOfNotifications: Int

        static func all(of rows: [ActivityRow]) -> [ApplicationActivity] {
            ActivityRow.grouped(rows) { $0.application }.map { application, rows in
                ApplicationActivity(
                    application: application,
                    totalActivityDuration: ActivityRow.seconds(rows),
                    numberOfPickups: Int(clamping: ActivityRow.sum(rows) { $0.pickups }),
                    numberOfNotifications: Int(clamping: ActivityRow.sum(rows) { $0.notifications })
                )
            }
        }
    }
}

extension DeviceActivityData {
    public struct WebDomainActivity: Hashable, Sendable {
        /// The site with its name and token.
        public var webDomain: WebDomain
        public var totalActivityDuration: TimeInterval

        static func all(of rows: [ActivityRow]) -> [WebDomainActivity] {
            ActivityRow.grouped(rows) { $0.webDomain }.map { webDomain, rows in
                WebDomainActivity(
                    webDomain: webDomain,
                    totalActivityDuration: ActivityRow.seconds(rows)
                )
            }
        }
    }
}

extension DeviceActivityData {
    public enum Policy: Hashable, Sendable {
        case cached

        /// Equivalent to `cached`, because the data is always current.
        case live
    }

    public enum Error: LocalizedError, Hashable, Sendable {
        case unavailable, unauthorized

        /// The data is incomplete.
        case missingData

        public var errorDescription: String? {
            switch self {
            case .unavailable: "Screen Time does not answer."
            case .unauthorized: "The app has no permission to read what is used."
            case .missingData: "What is used could not be read in full."
            }
        }

        public var recoverySuggestion: String? {
            switch self {
            case .unavailable: "Start it: screentime system up"
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            case .missingData: "Ask again; the log says what was wrong."
            }
        }

        /// Returns Apple's error for a failed request. The log contains the reason.
        static func of(_ problem: Problem) -> Self {
            switch problem.code {
            case "service.not_running", "deadline.exceeded", "service.busy": .unavailable
            case let code where code.hasPrefix("auth.") || code.hasSuffix(".unauthorized"): .unauthorized
            default: problem.retryable ? .unavailable : .missingData
            }
        }
    }
}
