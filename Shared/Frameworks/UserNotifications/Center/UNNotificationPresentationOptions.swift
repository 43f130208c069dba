/// How a notification is shown while its app is in front; on a desktop that makes no difference.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// These bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number at its picture.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)

    /// Sounds.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)

    /// As before there were banners.
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)

    /// In the list.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)

    /// On the screen.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
