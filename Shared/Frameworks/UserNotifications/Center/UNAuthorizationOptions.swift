/// What an app would like to do with notifications.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// These bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number at its picture.
    public static let badge = UNAuthorizationOptions(rawValue: 1)

    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 2)

    /// Words on the screen.
    public static let alert = UNAuthorizationOptions(rawValue: 4)

    /// In the car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 8)

    /// Even when nothing else may disturb.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)

    /// A button that leads to the app's own settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)

    /// Without asking, and without a sound.
    public static let provisional = UNAuthorizationOptions(rawValue: 64)

    /// At once.
    public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}
