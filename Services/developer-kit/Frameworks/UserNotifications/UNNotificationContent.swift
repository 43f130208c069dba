public import Foundation

public class UNNotificationContent: NSObject, @unchecked Sendable {
    // @unchecked: the content is immutable. Mutable content is copied before it is passed on.

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
        var relevanceScore = 0.0
        var launchImageName = ""
        var targetContentIdentifier: String?
    }

    var fields: Fields

    public override convenience init() { self.init(Fields()) }

    init(_ fields: Fields) {
        self.fields = fields
        super.init()
    }

    public var title: String { fields.title }
    public var subtitle: String { fields.subtitle }
    public var body: String { fields.body }

    /// The number for a badge. A desktop does not show it.
    public var badge: NSNumber? { fields.badge }
    public var sound: UNNotificationSound? { fields.sound }

    /// Additional values for the app. They are not sent, so only this process has them.
    public var userInfo: [AnyHashable: Any] { fields.userInfo }
    public var categoryIdentifier: String { fields.categoryIdentifier }
    public var threadIdentifier: String { fields.threadIdentifier }
    public var interruptionLevel: UNNotificationInterruptionLevel { fields.interruptionLevel }
    // These properties have no effect. A desktop sorts by time, and has no phone app to open.
    public var relevanceScore: Double { fields.relevanceScore }
    public var launchImageName: String { fields.launchImageName }
    public var targetContentIdentifier: String? { fields.targetContentIdentifier }

    public override func copy() -> Any { UNNotificationContent(fields) }

    public override func mutableCopy() -> Any { UNMutableNotificationContent(fields) }

    public override var description: String { "\(type(of: self))(“\(title)”, “\(body)”)" }
}

public class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    // @unchecked: as on a phone, the code that creates the content owns it until a copy is passed on.

    public override var title: String {
        get { fields.title }
        set { fields.title = newValue }
    }

    public override var subtitle: String {
        get { fields.subtitle }
        set { fields.subtitle = newValue }
    }

    public override var body: String {
        get { fields.body }
        set { fields.body = newValue }
    }

    /// The number for a badge. A desktop does not show it.
    public override var badge: NSNumber? {
        get { fields.badge }
        set { fields.badge = newValue }
    }

    public override var sound: UNNotificationSound? {
        get { fields.sound }
        set { fields.sound = newValue }
    }

    /// Additional values for the app. They are not sent, so only this process has them.
    public override var userInfo: [AnyHashable: Any] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }

    public override var categoryIdentifier: String {
        get { fields.categoryIdentifier }
        set { fields.categoryIdentifier = newValue }
    }

    public override var threadIdentifier: String {
        get { fields.threadIdentifier }
        set { fields.threadIdentifier = newValue }
    }

    public override var interruptionLevel: UNNotificationInterruptionLevel {
        get { fields.interruptionLevel }
        set { fields.interruptionLevel = newValue }
    }

    public override var relevanceScore: Double {
        get { fields.relevanceScore }
        set { fields.relevanceScore = newValue }
    }

    public override var launchImageName: String {
        get { fields.launchImageName }
        set { fields.launchImageName = newValue }
    }

    public override var targetContentIdentifier: String? {
        get { fields.targetContentIdentifier }
        set { fields.targetContentIdentifier = newValue }
    }
}

public enum UNNotificationInterruptionLevel: UInt, Sendable {
    case passive, active, timeSensitive, critical
}

public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification. The desktop plays its own sound for every value.
public final class UNNotificationSound: NSObject, Sendable {
    public static let `default` = UNNotificationSound(named: UNNotificationSoundName("default"))
    public static let defaultRingtone = UNNotificationSound(named: UNNotificationSoundName("ringtone"))
    public static let defaultCritical = UNNotificationSound(named: UNNotificationSoundName("critical"))

    private let name: UNNotificationSoundName

    public init(named name: UNNotificationSoundName) {
        self.name = name
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }

    public override var hash: Int { name.hashValue }
}
