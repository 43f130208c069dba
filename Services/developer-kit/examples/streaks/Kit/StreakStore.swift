package import DeviceActivity
package import FamilyControls
import Foundation
package import STAppSupport

/// What the app and its extension both know.
///
/// The app writes tasks and choices, the extension the days; nothing is written by both.
package struct StreakStore {
    package static let group = "group.streaks"
    /// How many events the activity may sensibly have; a screen shows them all.
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

    /// Adds it, or puts it in the place of the one with its id.
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

    /// The last choice for a task.
    package func selection(_ id: String) throws -> FamilyActivitySelection {
        try defaults.selection(forKey: Key.selection(id)) ?? FamilyActivitySelection()
    }

    /// An id that no task has or had.
    package func newID() -> String {
        let number = defaults.integer(forKey: Key.lastNumber) + 1
        defaults.set(number, forKey: Key.lastNumber)
        return "task-\(number)"
    }

    /// Whether the person wants the tasks to be watched.
    package var isWatched: Bool {
        get { defaults.bool(forKey: Key.isWatched) }
        nonmutating set { defaults.set(newValue, forKey: Key.isWatched) }
    }

    // MARK: - Written by the extension

    package func history(_ id: String) -> StreakHistory {
        StreakHistory(DayMarks(text: defaults.string(forKey: Key.history(id)) ?? ""))
    }

    /// The day under way.
    package var open: Day? { defaults.string(forKey: Key.open).flatMap { Day($0) } }

    /// A day begins.
    ///
    /// An earlier day that is still open is over now, even without a callback for its end.
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

    /// The amount of a task is reached; returns the day this is about.
    ///
    /// Callbacks come in order. One that comes late, after midnight, still comes before the end of the day it is about.
    package func reach(_ task: StreakTask, on day: Day?) -> Day? {
        guard let day = open ?? day else { return nil }
        change(task) { $0.reach(on: day, of: task) }
        return day
    }

    /// An interval is over; `ongoing` is the day the schedule is in or comes to, nil when nothing is watched any more.
    package func end(ongoing: Day?) -> Day? {
        // The tasks were changed in the middle of the day: it goes on.
        guard let day = open, day != ongoing else { return nil }
        // A person who stops watching in the middle of a day has not completed it.
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

/// When the tasks hold: every day, from midnight to midnight.
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
    /// All tasks are events of this one activity, from midnight to midnight.
    package static let day = Self("day")
}
