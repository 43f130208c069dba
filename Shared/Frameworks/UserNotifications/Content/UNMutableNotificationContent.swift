public import Foundation

/// What a notification is to say.
public class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    // @unchecked: as on a phone it belongs to whoever makes it until it is handed on as a copy.

    /// The first line.
    public override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }

    /// The line below.
    public override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }

    /// The rest.
    public override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }

    /// The number at the app's picture, which a desktop does not show.
    public override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }

    /// What is heard.
    public override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }

    /// What the app wants to know when it is answered; it stays in this process.
    public override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }

    /// Which buttons it has.
    public override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }

    /// Which others it belongs to.
    public override var threadIdentifier: String {
        get { fields.threadIdentifier }
        set { fields.threadIdentifier = newValue }
    }

    /// How much it may disturb.
    public override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.interruptionLevel }
        set { fields.interruptionLevel = newValue }
    }
}
