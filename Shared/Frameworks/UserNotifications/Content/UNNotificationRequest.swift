public import Foundation

/// A notification, and when it is due.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
    // @unchecked: nothing changes, and the content is a copy.

    /// Its name: a later one of the same name takes its place.
    public let identifier: String

    /// What it says.
    public let content: UNNotificationContent

    /// When it is due; nil is at once.
    public let trigger: UNNotificationTrigger?

    /// A notification with what the content says now.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = UNNotificationContent(content.fields)
        self.trigger = trigger
        super.init()
    }
}

/// A notification that was shown.
public final class UNNotification: NSObject, Sendable {
    /// When it was shown.
    public let date: Date

    /// What it was.
    public let request: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
        super.init()
    }
}
