public import Foundation

/// What a button of a notification does to the app.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// These bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The screen must be unlocked.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)

    /// It destroys something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)

    /// The app comes to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// A button of a notification.
public final class UNNotificationAction: NSObject, Sendable {
    /// Its name to the app.
    public let identifier: String

    /// What stands on it.
    public let title: String

    /// What it does to the app.
    public let options: UNNotificationActionOptions

    /// A button.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
        super.init()
    }
}
