public import Foundation

public final class UNNotificationRequest: NSObject, @unchecked Sendable {
    // @unchecked: the request is immutable, and the content is a copy.

    public let identifier: String
    public let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = UNNotificationContent(content.fields)
        self.trigger = trigger
        super.init()
    }
}

public final class UNNotification: NSObject, Sendable {
    public let date: Date
    public let request: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
        super.init()
    }
}

public class UNNotificationTrigger: NSObject, @unchecked Sendable {
    // @unchecked: the trigger is immutable.

    public let repeats: Bool

    init(repeats: Bool) {
        self.repeats = repeats
        super.init()
    }
}

public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    // @unchecked: the trigger is immutable.

    public let timeInterval: TimeInterval

    /// Creates a trigger. `add` rejects an interval that is not positive, and a repeating interval of less than a minute.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    public func nextTriggerDate() -> Date? {
        timeInterval > 0 ? Date(timeIntervalSinceNow: timeInterval) : nil
    }
}

public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    // @unchecked: the trigger is immutable.

    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    public func nextTriggerDate() -> Date? {
        var calendar = dateComponents.calendar ?? .current
        if let zone = dateComponents.timeZone { calendar.timeZone = zone }
        return calendar.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
    }
}
