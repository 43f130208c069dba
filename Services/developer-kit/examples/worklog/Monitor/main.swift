import DeviceActivity
import Foundation
import STAppSupport
import STWorklogKit
import UserNotifications
import os

/// Keeps the two stores: `gaming` by the day's work, `social` by the hours of the evening.
///
/// Every callback may come twice and late; each leads to the same when repeated.
final class WorklogMonitor: DeviceActivityMonitor {
    private let log = Logger(subsystem: "worklog", category: "monitor")
    private let words = WorklogWords(.current)
    private let store = WorklogStore()

    override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        switch activity {
        // On a day whose work is done already the event follows at once, and opens the games again.
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
        // Also when the day is already noted: the process may have ended before the notification. The same one again has no
        // effect.
        say(words.done(store.hours), id: "done.\(day.text)")
    }

    // MARK: -

    /// An interval also ends because the person has stopped everything.
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
