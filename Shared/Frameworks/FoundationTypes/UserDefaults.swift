public import Foundation
package import STPlatform

/// Settings that an app shares with its extensions.
///
/// The same as Foundation's, with two differences: a change is in the file when the call returns, and every look sees what
/// other processes wrote. `standard` belongs to the app and its extensions; `init(suiteName:)` opens a group's.
open class UserDefaults: NSObject, @unchecked Sendable {
    // @unchecked: the file has its lock, and nothing else changes.

    /// Posted after a change by this process; `object` is the one it was made on.
    public static let didChangeNotification = Notification.Name("NSUserDefaultsDidChangeNotification")

    /// Name of the settings that `register(defaults:)` gives.
    public static let registrationDomain = "NSRegistrationDomain"

    /// Name of the settings of all apps, which is always empty here.
    public static let globalDomain = "NSGlobalDomain"

    /// Name of the settings given on the command line, which is always empty here.
    public static let argumentDomain = "NSArgumentDomain"

    /// The app's own settings.
    public static let standard = UserDefaults()

    /// Nil when there is no place to keep anything: then nothing is kept.
    private let file: DefaultsFile?

    /// The app's own settings, as `standard`.
    public override convenience init() { self.init(app: AppIdentity.current.app, folders: .current) }

    /// The settings of a group, such as `group.com.example.app`; without a name the app's own.
    ///
    /// Nil, with the reason in the log, when that cannot be a name.
    public convenience init?(suiteName suitename: String?) {
        guard let suitename else {
            self.init()
            return
        }
        do {
            try self.init(group: suitename, folders: .current)
        } catch {
            FrameworkLog.storage.error("UserDefaults(suiteName:): \(error.description)")
            return nil
        }
    }

    package init(app: String, folders: StateFolders?) {
        do {
            file = try folders.map {
                DefaultsFiles.shared.file(StateFolders.defaults(in: try $0.app(app), app))
            }
        } catch {
            FrameworkLog.storage.error("UserDefaults.standard keeps nothing: \(error)")
            file = nil
        }
        super.init()
    }

    package init(group: String, folders: StateFolders?) throws(Problem) {
        guard group != Self.globalDomain else {
            throw Problem("group.bad_name", "\(group) is no group; use one of your manifest's groups")
        }
        if let folders {
            let folder = try folders.group(group)
            file = DefaultsFiles.shared.file(StateFolders.defaults(in: folder, group))
        } else {
            file = nil
        }
        super.init()
    }

    // MARK: - Reading

    /// The value of that name, as it was stored.
    open func object(forKey defaultName: String) -> Any? {
        file?.current()[defaultName] ?? RegisteredDefaults.shared.value(defaultName)
    }

    /// All that there is, registered values included.
    open func dictionaryRepresentation() -> [String: Any] {
        RegisteredDefaults.shared.all.merging(file?.current() ?? [:]) { _, stored in stored }
    }

    // MARK: - Changing

    /// Stores a value: a text, number, date, data, or a list or dictionary of such.
    ///
    /// Nil removes it. Anything else is not stored, and the log says so.
    open func set(_ value: Any?, forKey defaultName: String) {
        guard let value = value.flatMap(Self.unwrapped) else { return removeObject(forKey: defaultName) }
        // Told at once, as Foundation takes seconds to look through so much.
        if let data = value as? Data, data.count > DefaultsFile.bytesMax {
            return FrameworkLog.storage.error(
                "“\(defaultName)” is not stored: \(DefaultsFile.tooLarge(data.count).message)"
            )
        }
        guard PropertyListSerialization.propertyList([defaultName: value], isValidFor: .binary) else {
            let kind = String(describing: type(of: value))
            FrameworkLog.storage.error(
                "“\(defaultName)” is not stored: \(kind) is no property list value; encode it first"
            )
            return
        }
        change { $0[defaultName] = value }
    }

    /// Takes a value away; one that was registered shows again.
    open func removeObject(forKey defaultName: String) { change { $0[defaultName] = nil } }

    /// Gives values for names that are not stored.
    ///
    /// They are for this process only, as long as it lives.
    open func register(defaults registrationDictionary: [String: Any]) {
        RegisteredDefaults.shared.add(registrationDictionary)
    }

    /// Waits until all changes are on the disk, which nobody needs to for others to see them.
    @discardableResult
    open func synchronize() -> Bool { file?.flush() ?? false }

    private func change(_ body: (inout [String: Any]) -> Void) {
        guard let file else {
            FrameworkLog.storage.error("a setting is not stored: there is no place for state")
            return
        }
        if file.change(body) {
            NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
        }
    }

    /// An optional that came as `Any`.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    // MARK: - Domains

    /// All values of a group or an app, or nil when there are none.
    open func persistentDomain(forName domainName: String) -> [String: Any]? {
        let values = Self.domain(domainName)?.current() ?? [:]
        return values.isEmpty ? nil : values
    }

    /// Replaces all values of a group or an app.
    open func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        Self.domain(domainName)?.change { $0 = domain }
    }

    /// Takes away all values of a group or an app.
    open func removePersistentDomain(forName domainName: String) {
        Self.domain(domainName)?.change { $0 = [:] }
    }

    private static func domain(_ name: String) -> DefaultsFile? {
        name == AppIdentity.current.app ? standard.file : UserDefaults(suiteName: name)?.file
    }
}
