import DeviceActivity
import STAppSupport
import STStreaksKit
import os

/// Handles the callbacks, which the system makes even if the app is not running.
final class StreaksMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: "streaks", category: "monitor")
    private let words = StreakWords(.current)
    private let store = StreakStore()

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        guard activity == .day, let day = dayOfInterval(activity) else { return }
        store.begin(day)
        log.notice("\(day.text, privacy: .public) begins.")
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        guard activity == .day else { return }
        guard let day = store.end(ongoing: dayOfInterval(activity)) else {
            log.notice("The tasks were changed, or nothing is watched any more.")
            return
        }
        log.notice("\(day.text, privacy: .public) is over.")
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        guard let task = task(event, activity) else { return }
        // The callback does not contain the day, so derive it from the schedule.
        guard let day = store.reach(task, on: dayOfInterval(activity)) else { return }
        say(words.reached(task), about: task, "reached", on: day)
    }

    override func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name,
        activity: DeviceActivityName
    ) {
        super.eventWillReachThresholdWarning(event, activity: activity)
        guard let task = task(event, activity), let day = store.open ?? dayOfInterval(activity) else {
            return
        }
        say(words.almost(task, left: StreakSchedule.warning), about: task, "warning", on: day)
    }

    /// Returns the task of an event, whose name is the id of the task. Returns `nil` if the task was removed in the meantime.
    private func task(_ event: DeviceActivityEvent.Name, _ activity: DeviceActivityName) -> StreakTask? {
        activity == .day ? store.task(event.rawValue) : nil
    }

    /// Returns the day of the current interval, or else of the next one. Returns `nil` if nothing is monitored.
    private func dayOfInterval(_ activity: DeviceActivityName) -> Day? {
        // If the service does not reply, the center has no schedule either. The default schedule then prevents the loss of a
        // streak.
        let wanted = store.isWatched ? StreakSchedule.everyDay : nil
        let schedule = DeviceActivityCenter().schedule(for: activity) ?? wanted
        return schedule?.nextInterval.map { Day($0.start) }
    }

    /// Shows one notification per task, occasion and day. A repeated callback does not notify again.
    private func say(_ text: String, about task: StreakTask, _ occasion: String, on day: Day) {
        tell(text, title: task.title, id: "\(task.id).\(occasion).\(day.text)") { [log] error in
            log.error(
                "This could not be shown: \(text, privacy: .public) (\("\(error)", privacy: .public))"
            )
        }
    }
}

ExtensionMain.run { StreaksMonitor() }
