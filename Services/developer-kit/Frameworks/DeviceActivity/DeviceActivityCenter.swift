import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Starts and stops monitoring of activities.
///
/// All calls block the calling thread until the service replies, and can be made on any thread.
public struct DeviceActivityCenter: Sendable {
    /// The maximum number of pages that are read. A correct list of activities is shorter.
    private static let pagesMax = 50

    private let link: ClientLink

    public init() { link = .current }

    init(link: ClientLink) { self.link = link }

    private var app: String { link.identity.app }
    private var member: String? { link.identity.member }

    // MARK: - Reading

    /// The names of the monitored activities. Empty, with an entry in the log, if the service does not reply.
    public var activities: [DeviceActivityName] {
        asked("activities") {
            var names: [DeviceActivityName] = []
            var next: String?
            for _ in 0..<Self.pagesMax {
                let reply = try link.call(
                    ActivityList.self,
                    to: .activity,
                    .init(app: app, member: member, next: next)
                )
                names += reply.activities.map { DeviceActivityName($0.activity) }
                next = reply.next
                if next == nil { break }
            }
            return names
        } ?? []
    }

    /// Returns the schedule of an activity. Returns `nil` if the activity is not monitored.
    public func schedule(for activity: DeviceActivityName) -> DeviceActivitySchedule? {
        asked("schedule(for:)") {
            try link.call(
                ActivityShow.self,
                to: .activity,
                .init(app: app, member: member, activity: activity.rawValue)
            ).activity.map { DeviceActivitySchedule($0.schedule) }
        } ?? nil
    }

    /// Returns the events of an activity. The result is empty if the activity is not monitored.
    public func events(for activity: DeviceActivityName) -> [DeviceActivityEvent.Name: DeviceActivityEvent] {
        asked("events(for:)") {
            let reply = try link.call(
                ActivityEvents.self,
                to: .activity,
                .init(app: app, member: member, activity: activity.rawValue)
            )
            let pairs = reply.events.map { (DeviceActivityEvent.Name($0.name), DeviceActivityEvent($0)) }
            return Dictionary(pairs) { _, later in later }
        } ?? [:]
    }

    // MARK: - Monitoring

    /// Starts to monitor an activity during a schedule. It replaces any earlier monitoring with the same name.
    ///
    /// - Throws: A `MonitoringError` if Apple has one for the reason, otherwise a `ScreenTimeProblem`.
    public func startMonitoring(
        _ activity: DeviceActivityName,
        during schedule: DeviceActivitySchedule,
        events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:]
    ) throws {
        let request = ActivityStart.Request(
            app: app,
            member: member,
            activity: activity.rawValue,
            schedule: schedule.spec,
            events: events.map { name, event in event.spec(name) }.sorted { $0.name < $1.name }
        )
        do {
            let reply = try link.call(ActivityStart.self, to: .activity, request)
            for note in reply.notes { FrameworkLog.activity.notice("\(activity.rawValue): \(note.text)") }
        } catch {
            // Apple's errors do not contain the reason, so log it.
            FrameworkLog.activity.error("startMonitoring(\(activity.rawValue)): \(error.description)")
            throw MonitoringError.of(error) ?? ScreenTimeProblem(error)
        }
    }

    /// Stops monitoring. Without names it stops all activities. Names that are not monitored are ignored.
    public func stopMonitoring(_ activities: [DeviceActivityName] = []) {
        _ = asked("stopMonitoring") {
            try link.call(
                ActivityStop.self,
                to: .activity,
                .init(app: app, member: member, activities: activities.map(\.rawValue))
            )
        }
    }

    /// Runs a request and logs its failure, because Apple's calls do not report one.
    private func asked<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            FrameworkLog.activity.error("DeviceActivityCenter.\(what): \(error)")
            return nil
        }
    }
}

public struct DeviceActivityName: RawRepresentable, Equatable, Hashable, Sendable {
    public var rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(rawValue: String) { self.rawValue = rawValue }
}

extension DeviceActivityCenter {
    public enum MonitoringError: LocalizedError, Equatable, Hashable, Sendable {
        case excessiveActivities, intervalTooLong, intervalTooShort, invalidDateComponents, unauthorized

        public var errorDescription: String? {
            switch self {
            case .excessiveActivities: "The app already watches as many activities as it may."
            case .intervalTooLong: "The activity's interval is too long."
            case .intervalTooShort: "The activity's interval is too short."
            case .invalidDateComponents: "The schedule's times do not fit together, or never come."
            case .unauthorized: "The app has no permission to watch activities."
            }
        }

        public var recoverySuggestion: String? {
            switch self {
            case .excessiveActivities:
                "Stop activities that are no longer needed, or give one several events."
            case .intervalTooLong: "Make the interval a week or shorter."
            case .intervalTooShort: "Make the interval fifteen minutes or longer."
            case .invalidDateComponents:
                "Give both ends the same units: hour, minute and second, or a full date in the future."
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            }
        }
    }
}

extension DeviceActivityCenter.MonitoringError {
    /// Returns Apple's error for a refused request, if Apple has one.
    static func of(_ problem: Problem) -> Self? {
        switch problem.code {
        case "activity.excessive_activities": .excessiveActivities
        case "activity.interval_too_long": .intervalTooLong
        case "activity.interval_too_short": .intervalTooShort
        // Apple's error also covers thresholds and warnings, which consist of date components.
        case "activity.invalid_date_components", "activity.bad_threshold", "activity.bad_warning":
            .invalidDateComponents
        case "activity.unauthorized", "auth.unauthorized": .unauthorized
        default: nil
        }
    }
}
