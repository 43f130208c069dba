import UIKit

// On a phone, UIKit also imports UserNotifications and Foundation.
package class NotificationSample: NSObject, UNUserNotificationCenterDelegate {
    private let center = UNUserNotificationCenter.current()

    package func begin() {
        center.delegate = self
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            if let error { print(error) }
            _ = granted
        }
        let more = UNNotificationAction(identifier: "more", title: "More time", options: [])
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "limit",
                actions: [more],
                intentIdentifiers: [],
                options: .customDismissAction
            )
        ])
    }

    package func daily(hour: Int) async throws {
        guard try await center.requestAuthorization(options: [.alert]) else { return }
        let settings = await center.notificationSettings()
        guard settings.authorizationStatus == .authorized else { return }
        let content = UNMutableNotificationContent()
        content.title = "Good morning"
        content.subtitle = "A new day"
        content.categoryIdentifier = "limit"
        content.interruptionLevel = .timeSensitive
        var date = DateComponents()
        date.hour = hour
        let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: true)
        center.removePendingNotificationRequests(withIdentifiers: ["daily"])
        try await center.add(UNNotificationRequest(identifier: "daily", content: content, trigger: trigger))
    }

    package func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
            print(response.notification.request.content.userInfo)
        }
        completionHandler()
    }

    package func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }
}
