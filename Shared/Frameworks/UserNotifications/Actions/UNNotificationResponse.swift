public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The notification itself was pressed, and none of its buttons.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The notification was put away.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What a person did with a notification.
public final class UNNotificationResponse: NSObject, Sendable {
    /// The button.
    public let actionIdentifier: String

    /// The notification.
    public let notification: UNNotification

    init(actionIdentifier: String, notification: UNNotification) {
        self.actionIdentifier = actionIdentifier
        self.notification = notification
        super.init()
    }
}
