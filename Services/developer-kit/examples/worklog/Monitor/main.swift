import DeviceActivity
import Foundation
import STAppSupport
import STWorklogKit
import UserNotifications
import os

/// Updates the two stores: `gaming` according to the day's work, `social` according to the hours of the evening.
///
/// A callback may be late or repeated, so repeating any of these methods has no further effect.
final class WorklogMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: "worklog", category: "monitor")
    private let words = WorklogWords(.current)
    private let store = WorklogStore()

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        switch activity {
        // If the day's work is already done, the event follows immediately and opens the games again.
        case .workday: up(.games)
        case .evenings: WorklogShields().down(.social)
        default: break
        }
    }

    override func intervalDidEnd(for activity: DeviceActivityName) {
        super.intervalDidEnd(for: activity)
        switch activity {
        case .workday: upUnlessStopped(.games)
        case .evenings: upUnlessStopped(.social)
        default: break
        }
    }

    override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
        super.eventDidReachThreshold(event, activity: activity)
        guard activity == .workday, event == .work else { return }
        WorklogShields().down(.games)
        let day = Day(Date())
        store.doneDay = day
        // Notify even if the day is already stored, because the process may have ended before the notification. Posting the same
        // notification again has no effect.
        say(words.done(store.hours), id: "done.\(day.text)")
    }

    // MARK: -

    /// Adds the shields, or removes them if the interval ended because the person stopped everything.
    private func upUnlessStopped(_ group: WorklogGroup) {
        if store.isStarted { up(group) } else { WorklogShields().down(group) }
    }

    private func up(_ group: WorklogGroup) {
        do {
            if try !WorklogShields().up(group) {
                log.error("No category stands for \(group.rawValue, privacy: .public).")
            }
        } catch {
            log.fault("The choice cannot be read: \("\(error)", privacy: .public)")
        }
    }

    private func say(_ text: String, id: String) {
        let content = UNMutableNotificationContent()
        content.title = words.title
        content.body = text
        content.sound = .default
        let request = UNNotificationRequest(identifier: id, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request) { [log] error in
            if let error { log.error("This could not be shown: \("\(error)", privacy: .public)") }
        }
    }
}

ExtensionMain.run { WorklogMonitor() }
