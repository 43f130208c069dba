public import Foundation

/// What a kind of notifications asks for.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// These bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app is told when one is put away.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
}

/// A kind of notifications, with its buttons.
public final class UNNotificationCategory: NSObject, Sendable {
    /// Its name, which a notification's content has.
    public let identifier: String

    /// Its buttons.
    public let actions: [UNNotificationAction]

    /// What an assistant may do with it; nothing here.
    public let intentIdentifiers: [String]

    /// What it asks for.
    public let options: UNNotificationCategoryOptions

    /// A kind with these buttons.
    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String] = [],
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        super.init()
    }

    /// Kinds of the same name are the same one.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.identifier == identifier
    }

    /// Equal kinds have equal ones.
    public override var hash: Int { identifier.hashValue }
}
