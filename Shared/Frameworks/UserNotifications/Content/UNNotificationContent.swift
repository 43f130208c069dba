public import Foundation

/// What a notification says; it does not change.
public class UNNotificationContent: NSObject, @unchecked Sendable {
    // @unchecked: nothing of it changes; one that can be changed is a copy by the time it is handed on.

    struct Fields {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var interruptionLevel = UNNotificationInterruptionLevel.active
    }

    var fields: Fields

    /// One that says nothing.
    public override convenience init() { self.init(Fields()) }

    init(_ fields: Fields) {
        self.fields = fields
        super.init()
    }

    /// The first line.
    public var title: String { fields.title }

    /// The line below.
    public var subtitle: String { fields.subtitle }

    /// The rest.
    public var body: String { fields.body }

    /// The number at the app's picture, which a desktop does not show.
    public var badge: NSNumber? { fields.badge }

    /// What is heard.
    public var sound: UNNotificationSound? { fields.sound }

    /// What the app wants to know when it is answered; it stays in this process.
    public var userInfo: [AnyHashable: Any] { fields.userInfo }

    /// Which buttons it has.
    public var categoryIdentifier: String { fields.categoryIdentifier }

    /// Which others it belongs to.
    public var threadIdentifier: String { fields.threadIdentifier }

    /// How much it may disturb.
    public var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }

    /// One that does not change with this one.
    public override func copy() -> Any { UNNotificationContent(fields) }

    /// One that can be changed.
    public override func mutableCopy() -> Any { UNMutableNotificationContent(fields) }

    /// For a developer.
    public override var description: String { "\(type(of: self))(“\(title)”, “\(body)”)" }
}
