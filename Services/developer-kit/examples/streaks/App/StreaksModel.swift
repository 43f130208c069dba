import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STStreaksKit

/// The state and actions of the app, for its screens and its command line.
@MainActor
final class StreaksModel {
    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = StreakStore()

    // MARK: - Permission

    var isApproved: Bool { authorization.isApproved }

    var permission: String { authorization.authorizationStatus.description }

    func requestPermission() async throws { try await authorization.requestAuthorization(for: .individual) }

    // MARK: - Tasks

    var tasks: [StreakTask] { store.tasks }

    func task(_ id: String) throws -> StreakTask {
        guard let task = store.task(id) else {
            let all = tasks.map(\.id).joined(separator: ", ")
            throw Refusal(.no, "There is no task \(id.prefix(40)). Tasks are: \(all.isEmpty ? "none" : all)")
        }
        return task
    }

    @discardableResult
    func add(_ kind: StreakTask.Kind, title: String?, choice: Choice, amount: Length) throws -> StreakTask {
        let title = title ?? choice.names.joined(separator: ", ")
        var task = StreakTask(id: "", kind: kind, title: title, amount: amount, names: choice.names)
        try task.check()
        let selection = try FamilyActivitySelection(choice)
        task = StreakTask(id: store.newID(), kind: kind, title: title, amount: amount, names: choice.names)
        try store.save(task, selection)
        try watch()
        return task
    }

    /// Changes a task. Values that are `nil` stay unchanged.
    func edit(_ id: String, title: String?, choice: Choice?, amount: Length?) throws {
        var task = try task(id)
        task.title = title ?? task.title
        task.amount = amount ?? task.amount
        task.names = choice?.names ?? task.names
        try task.check()
        try store.save(task, try choice.map { try FamilyActivitySelection($0) } ?? store.selection(id))
        try watch()
    }

    func remove(_ id: String) throws {
        store.remove(try task(id).id)
        if isWatching { try watch() }
    }

    // MARK: - Monitoring

    var isWatching: Bool { center.activities.contains(.day) }

    /// The current interval, or the next one if none is current.
    var nextInterval: DateInterval? { center.schedule(for: .day)?.nextInterval }

    /// Starts or restarts monitoring. All tasks are events of one activity, so a change of one task restarts all of them.
    func watch() throws {
        guard !tasks.isEmpty else { return stop() }
        var events: [DeviceActivityEvent.Name: DeviceActivityEvent] = [:]
        for task in tasks {
            let event = task.counted(try store.selection(task.id))
            // Without any token, the event would count all use.
            guard !event.includesAllActivity else {
                throw Refusal(
                    .no,
                    "Nothing is chosen for \(task.title). Try: streaks --edit \(task.id) --choose firefox"
                )
            }
            events[task.event] = event
        }
        try center.startMonitoring(.day, during: StreakSchedule.everyDay, events: events)
        store.isWatched = true
    }

    func stop() {
        // Clear this first, because the extension reads it in its callback for the end of the interval.
        store.isWatched = false
        center.stopMonitoring([.day])
    }

    // MARK: - Results

    /// The current day of the tasks, or today if nothing is monitored.
    var today: Day { store.open ?? Day(Date()) }

    func history(_ task: StreakTask) -> StreakHistory { store.history(task.id) }

    func mark(_ task: StreakTask, on day: Day) -> StreakMark? { history(task).marks[day] }
}
