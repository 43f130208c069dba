public import Foundation

/// The name of a sound's file.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The name as text.
    public let rawValue: String

    /// The name with this text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The name with this text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What is heard of a notification; on a desktop all sounds are the desktop's own.
public final class UNNotificationSound: NSObject, Sendable {
    /// The usual one.
    public static let `default` = UNNotificationSound(named: UNNotificationSoundName("default"))

    /// The one for what is critical.
    public static let defaultCritical = UNNotificationSound(named: UNNotificationSoundName("critical"))

    private let name: UNNotificationSoundName

    /// The sound of that name.
    public init(named name: UNNotificationSoundName) {
        self.name = name
        super.init()
    }

    /// Whether both are the same sound.
    public override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.name == name }

    /// Equal sounds have equal ones.
    public override var hash: Int { name.hashValue }
}
