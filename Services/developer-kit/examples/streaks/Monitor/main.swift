import DeviceActivity
import STAppSupport
import STStreaksKit
import os

/// Called by the system, also when the app does not run.
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
        // The callback does not say the day; the schedule does.
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

    /// The event's name says which task it is; nil for a task that was removed meanwhile.
    private func task(_ event: DeviceActivityEvent.Name, _ activity: DeviceActivityName) -> StreakTask? {
        activity == .day ? store.task(event.rawValue) : nil
    }

    /// The day of the current interval, or else of the next one; nil when nothing is monitored.
    private func dayOfInterval(_ activity: DeviceActivityName) -> Day? {
        // The center has no schedule either when the service does not answer, which must not cost a streak.
        let wanted = store.isWatched ? StreakSchedule.everyDay : nil
        let schedule = DeviceActivityCenter().schedule(for: activity) ?? wanted
        return schedule?.nextInterval.map { Day($0.start) }
    }

    /// One notification per task, occasion and day, so that a repeated callback does not notify twice.
    private func say(_ text: String, about task: StreakTask, _ occasion: String, on day: Day) {
        tell(text, title: task.title, id: "\(task.id).\(occasion).\(day.text)") { [log] error in
            log.error(
                "This could not be shown: \(text, privacy: .public) (\("\(error)", privacy: .public))"
            )
        }
    }
}

ExtensionMain.run { StreaksMonitor() }
