public import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
}

public final class UNNotificationCategory: NSObject, Sendable {
    public let identifier: String
    public let actions: [UNNotificationAction]

    /// The intents of the category. They have no effect.
    public let intentIdentifiers: [String]
    public let options: UNNotificationCategoryOptions

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

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.identifier == identifier
    }

    public override var hash: Int { identifier.hashValue }
}

public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

public final class UNNotificationAction: NSObject, Sendable {
    public let identifier: String
    public let title: String
    public let options: UNNotificationActionOptions

    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
        super.init()
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

public final class UNNotificationResponse: NSObject, Sendable {
    public let actionIdentifier: String
    public let notification: UNNotification

    init(actionIdentifier: String, notification: UNNotification) {
        self.actionIdentifier = actionIdentifier
        self.notification = notification
        super.init()
    }
}

/// The file with the notification categories of an app. It exists because the app's extensions also add notifications.
final class CategoryFile: Sendable {
    private struct Entry: Codable {
        var id: String
        var actions: [NotifyAction]
    }

    private static let name = "notification-categories.json"
    private static let bytesMax = 1 << 20

    private let folders: StateFolders?
    private let app: String
    /// The categories set in this process, which include their options. Without them, the file is read.
    private let known = Mutex<Set<UNNotificationCategory>?>(nil)

    init(folders: StateFolders?, app: String) {
        self.folders = folders
        self.app = app
    }

    var all: Set<UNNotificationCategory> { known.withLock { $0 } ?? read() }

    func actions(of category: String) -> [NotifyAction] {
        guard !category.isEmpty else { return [] }
        return all.first { $0.identifier == category }?.actions.map {
            NotifyAction(id: $0.identifier, label: $0.title)
        } ?? []
    }

    func replace(with categories: Set<UNNotificationCategory>) {
        known.withLock { $0 = categories }
        let entries = categories.sorted { $0.identifier < $1.identifier }.map { category in
            Entry(
                id: category.identifier,
                actions: category.actions.map { NotifyAction(id: $0.identifier, label: $0.title) }
            )
        }
        do {
            guard let path = try path() else { return }
            try JSONEncoder().encode(entries).write(to: URL(filePath: path), options: .atomic)
        } catch {
            FrameworkLog.notifications.fault("extensions will not know the notification categories: \(error)")
        }
    }

    private func path() throws -> String? { try folders.map { "\(try $0.app(app))/\(Self.name)" } }

    private func read() -> Set<UNNotificationCategory> {
        guard let path = try? path(), let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        do {
            let data = try handle.read(upToCount: Self.bytesMax) ?? Data()
            let entries = try JSONDecoder().decode([Entry].self, from: data)
            return Set(
                entries.map { entry in
                    UNNotificationCategory(
                        identifier: entry.id,
                        actions: entry.actions.map {
                            UNNotificationAction(identifier: $0.id, title: $0.label)
                        }
                    )
                }
            )
        } catch {
            FrameworkLog.notifications.error("\(path) cannot be read: \(error)")
            return []
        }
    }
}
