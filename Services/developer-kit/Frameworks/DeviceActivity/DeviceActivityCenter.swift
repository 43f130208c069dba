import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Starts and stops monitoring.
///
/// All calls wait for their answer, on any thread.
public struct DeviceActivityCenter: Sendable {
    /// A list of activities has more pages than this only when something is wrong.
    private static let pagesMax = 50

    private let link: ClientLink

    public init() { link = .current }

    init(link: ClientLink) { self.link = link }

    private var app: String { link.identity.app }
    private var member: String? { link.identity.member }

    // MARK: - Reading

    /// Empty, with a line in the log, when the service does not answer.
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

    /// Nil when the activity is not monitored.
    public func schedule(for activity: DeviceActivityName) -> DeviceActivitySchedule? {
        asked("schedule(for:)") {
            try link.call(
                ActivityShow.self,
                to: .activity,
                .init(app: app, member: member, activity: activity.rawValue)
            ).activity.map { DeviceActivitySchedule($0.schedule) }
        } ?? nil
    }

    /// Empty when the activity is not monitored.
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

    /// Monitors during a schedule, and replaces the earlier monitoring of that name.
    ///
    /// - Throws: A `MonitoringError` where Apple has one for the refusal, else a `ScreenTimeProblem`.
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
            // Apple's errors have no place for the reason.
            FrameworkLog.activity.error("startMonitoring(\(activity.rawValue)): \(error.description)")
            throw MonitoringError.of(error) ?? ScreenTimeProblem(error)
        }
    }

    /// Stops monitoring; no names means all. Names that are not monitored are ignored.
    public func stopMonitoring(_ activities: [DeviceActivityName] = []) {
        _ = asked("stopMonitoring") {
            try link.call(
                ActivityStop.self,
                to: .activity,
                .init(app: app, member: member, activities: activities.map(\.rawValue))
            )
        }
    }

    /// Logs the failures about which Apple's calls are silent.
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
    /// Apple's error for a refusal, where there is one.
    static func of(_ problem: Problem) -> Self? {
        switch problem.code {
        case "activity.excessive_activities": .excessiveActivities
        case "activity.interval_too_long": .intervalTooLong
        case "activity.interval_too_short": .intervalTooShort
        // A threshold is made of date components, too.
        case "activity.invalid_date_components", "activity.bad_threshold", "activity.bad_warning":
            .invalidDateComponents
        case "activity.unauthorized", "auth.unauthorized": .unauthorized
        default: nil
        }
    }
}
