public import Foundation

/// When a notification is due.
public class UNNotificationTrigger: NSObject, @unchecked Sendable {
    // @unchecked: nothing changes.

    /// Whether it comes again and again.
    public let repeats: Bool

    init(repeats: Bool) {
        self.repeats = repeats
        super.init()
    }
}
