package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// The data shared by the app and its extension.
///
/// The app writes the tasks and choices, and the extension writes the days. No value is written by both.
package struct StreakStore {
    package static let group = "group.streaks"
    /// The maximum number of tasks, so that one screen can show all of them.
    package static let tasksMax = 24

    private enum Key {
        static let tasks = "Tasks"
        static let lastNumber = "LastTaskNumber"
        static let isWatched = "IsWatched"
        static let open = "OpenDay"

        static func selection(_ id: String) -> String { "Selection.\(id)" }
        static func history(_ id: String) -> String { "Days.\(id)" }
    }

    private let defaults: UserDefaults

    package init(defaults: UserDefaults = UserDefaults(suiteName: Self.group) ?? .standard) {
        self.defaults = defaults
    }

    // MARK: - Written by the app

    package var tasks: [StreakTask] {
        let stored = defaults.array(forKey: Key.tasks) as? [[String: Any]] ?? []
        return stored.compactMap(StreakTask.init)
    }

    package func task(_ id: String) -> StreakTask? { tasks.first { $0.id == id } }

    /// Adds a task, or replaces the task with the same id.
    package func save(_ task: StreakTask, _ selection: FamilyActivitySelection) throws {
        var tasks = tasks
        if let index = tasks.firstIndex(where: { $0.id == task.id }) {
            tasks[index] = task
        } else {
            guard tasks.count < Self.tasksMax else {
                throw Refusal(
                    .no,
                    "There are already \(Self.tasksMax) tasks, the most there can be. Remove one first"
                )
            }
            tasks.append(task)
        }
        try defaults.set(selection, forKey: Key.selection(task.id))
        defaults.set(tasks.map(\.stored), forKey: Key.tasks)
    }

    package func remove(_ id: String) {
        defaults.set(tasks.filter { $0.id != id }.map(\.stored), forKey: Key.tasks)
        defaults.removeObject(forKey: Key.selection(id))
        defaults.removeObject(forKey: Key.history(id))
    }

    /// Returns the stored choice of a task.
    package func selection(_ id: String) throws -> FamilyActivitySelection {
        try defaults.selection(forKey: Key.selection(id)) ?? FamilyActivitySelection()
    }

    /// Returns an id that no task has or had.
    package func newID() -> String {
        let number = defaults.integer(forKey: Key.lastNumber) + 1
        defaults.set(number, forKey: Key.lastNumber)
        return "task-\(number)"
    }

    /// True if the person has started monitoring of the tasks.
    package var isWatched: Bool {
        get { defaults.bool(forKey: Key.isWatched) }
        nonmutating set { defaults.set(newValue, forKey: Key.isWatched) }
    }

    // MARK: - Written by the extension

    package func history(_ id: String) -> StreakHistory {
        StreakHistory(DayMarks(text: defaults.string(forKey: Key.history(id)) ?? ""))
    }

    /// The current day of the tasks.
    package var open: Day? { defaults.string(forKey: Key.open).flatMap { Day($0) } }

    /// Begins a day.
    ///
    /// An earlier open day is ended now, even if the callback for its end is missing.
    package func begin(_ day: Day) {
        let untold = open.flatMap { $0 < day ? $0 : nil }
        for task in tasks {
            change(task) { history in
                if let untold { history.end(untold, of: task) }
                history.begin(day, of: task)
            }
        }
        defaults.set(day.text, forKey: Key.open)
    }

    /// Records that the amount of a task is reached, and returns the day of that record.
    ///
    /// Callbacks arrive in order. A late callback, after midnight, still arrives before the callback for the end of its day.
    package func reach(_ task: StreakTask, on day: Day?) -> Day? {
        guard let day = open ?? day else { return nil }
        change(task) { $0.reach(on: day, of: task) }
        return day
    }

    /// Ends an interval. `ongoing` is the day of the current or next interval of the schedule, or `nil` if monitoring was
    /// stopped.
    package func end(ongoing: Day?) -> Day? {
        // The tasks were changed during the day, so the day continues.
        guard let day = open, day != ongoing else { return nil }
        // A day on which monitoring was stopped is not completed.
        if ongoing != nil {
            for task in tasks { change(task) { $0.end(day, of: task) } }
        }
        defaults.removeObject(forKey: Key.open)
        return ongoing == nil ? nil : day
    }

    private func change(_ task: StreakTask, _ body: (inout StreakHistory) -> Void) {
        let old = history(task.id)
        var new = old
        body(&new)
        if new != old { defaults.set(new.marks.text, forKey: Key.history(task.id)) }
    }
}

/// The schedule of the tasks: every day from midnight to midnight.
package enum StreakSchedule {
    package static let warning = Length(minutes: 1)

    package static let everyDay = DeviceActivitySchedule(
        intervalStart: TimeOfDay.midnight.components,
        intervalEnd: TimeOfDay.lastSecond.components,
        repeats: true,
        warningTime: warning.components
    )
}

extension DeviceActivityName {
    /// The only activity of this app. All tasks are its events.
    package static let day = Self("day")
}
