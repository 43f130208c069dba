import STClientLink
import STContracts
import STFoundationTypes
import STPlatform

/// Begins and ends the watching of activities.
///
/// All calls wait for their answer, on whichever thread they are made.
public struct DeviceActivityCenter: Sendable {
    /// A list of activities has more pages than this only when something is wrong.
    private static let pagesMax = 50

    private let link: ClientLink

    /// The center of this app.
    public init() { link = .current }

    init(link: ClientLink) { self.link = link }

    private var app: String { link.identity.app }
    private var member: String? { link.identity.member }

    // MARK: - What is watched

    /// The names of the activities that this app watches.
    ///
    /// Empty when the system does not answer, which the log tells.
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

    /// When the activity is watched; nil when it is not.
    public func schedule(for activity: DeviceActivityName) -> DeviceActivitySchedule? {
        asked("schedule(for:)") {
            try link.call(
                ActivityShow.self,
                to: .activity,
                .init(app: app, member: member, activity: activity.rawValue)
            ).activity.map { DeviceActivitySchedule($0.schedule) }
        } ?? nil
    }

    /// The events of the activity; empty when it is not watched.
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

    // MARK: - Watching

    /// Watches during a schedule, and replaces what was watched under that name.
    ///
    /// - Throws: A `MonitoringError` where Apple has one for it, and a `ScreenTimeProblem` for everything else.
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

    /// Stops watching; no names means all.
    ///
    /// A name that is not watched is ignored.
    public func stopMonitoring(_ activities: [DeviceActivityName] = []) {
        _ = asked("stopMonitoring") {
            try link.call(
                ActivityStop.self,
                to: .activity,
                .init(app: app, member: member, activities: activities.map(\.rawValue))
            )
        }
    }

    /// What Apple's calls leave silent is told in the log.
    private func asked<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            FrameworkLog.activity.error("DeviceActivityCenter.\(what): \(error)")
            return nil
        }
    }
}
