public import Foundation

/// Some time from when the notification is added.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    // @unchecked: nothing changes.

    /// How much later, in seconds.
    public let timeInterval: TimeInterval

    /// So many seconds later, once or again and again.
    ///
    /// It must be more than nothing, and a minute at least when it repeats: `add` refuses anything else.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    /// The moment, were it added now.
    public func nextTriggerDate() -> Date? {
        timeInterval > 0 ? Date(timeIntervalSinceNow: timeInterval) : nil
    }
}
