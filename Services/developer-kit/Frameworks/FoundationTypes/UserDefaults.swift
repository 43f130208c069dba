public import Foundation
package import STPlatform

/// The settings of an app or a group. In contrast to Foundation's class, a change is in the file when the call returns, and every
/// read includes the changes of other processes. `standard` belongs to the app and its extensions. `init(suiteName:)` opens the
/// settings of a group.
open class UserDefaults: NSObject, @unchecked Sendable {
    // @unchecked: a lock guards the file, and nothing else changes.

    /// Posted after a change by this process. `object` is the changed instance.
    public static let didChangeNotification = Notification.Name("NSUserDefaultsDidChangeNotification")

    /// The name of the domain with the values of `register(defaults:)`.
    public static let registrationDomain = "NSRegistrationDomain"

    /// The name of the domain with the settings of all apps. This domain is always empty.
    public static let globalDomain = "NSGlobalDomain"

    /// The name of the domain with the settings on the command line. This domain is always empty.
    public static let argumentDomain = "NSArgumentDomain"
    public static let standard = UserDefaults()

    /// The file with the settings. `nil` if there is no state directory, in which case nothing is stored.
    private let file: DefaultsFile?

    public override convenience init() { self.init(app: AppIdentity.current.app, folders: .current) }

    /// Opens the settings of a group, for example `group.com.example.app`. Without a name it opens the app's own settings.
    /// Returns `nil`, with the reason in the log, for an invalid name.
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
            throw Problem(
                "group.bad_name",
                "\(group, "group") is not the name of a group; use one of your manifest's groups"
            )
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

    open func object(forKey defaultName: String) -> Any? {
        file?.current()[defaultName] ?? RegisteredDefaults.shared.value(defaultName)
    }

    /// Returns all values, including the registered ones.
    open func dictionaryRepresentation() -> [String: Any] {
        RegisteredDefaults.shared.all.merging(file?.current() ?? [:]) { _, stored in stored }
    }

    // MARK: - Changing

    /// Stores a property list value, or removes the value if it is `nil`. Any other value is not stored, and the reason is
    /// logged.
    open func set(_ value: Any?, forKey defaultName: String) {
        guard let value = value.flatMap(Self.unwrapped) else { return removeObject(forKey: defaultName) }
        // Reject large data before serialization, because Foundation takes seconds to serialize it.
        if let data = value as? Data, data.count > DefaultsFile.bytesMax {
            return FrameworkLog.storage.error(
                "“\(defaultName)” is not stored: \(DefaultsFile.tooLarge(data.count).message)"
            )
        }
        guard PropertyListSerialization.propertyList([defaultName: value], isValidFor: .binary) else {
            let kind = String(describing: type(of: value))
            FrameworkLog.storage.error(
                "“\(defaultName)” is not stored: \(kind) is not a property list value; encode it first"
            )
            return
        }
        change { $0[defaultName] = value }
    }

    open func removeObject(forKey defaultName: String) { change { $0[defaultName] = nil } }

    /// Sets the default values of this process only, as on a phone.
    open func register(defaults registrationDictionary: [String: Any]) {
        RegisteredDefaults.shared.add(registrationDictionary)
    }

    /// Waits until all changes are on the disk. Other processes see the changes without this call.
    @discardableResult
    open func synchronize() -> Bool { file?.flush() ?? false }

    private func change(_ body: (inout [String: Any]) -> Void) {
        guard let file else {
            FrameworkLog.storage.error("a setting is not stored: there is no state directory")
            return
        }
        if file.change(body) {
            NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
        }
    }

    /// Unwraps an optional that was passed as `Any`.
    package static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    // MARK: - Domains

    /// Returns all values of a group or an app. Returns `nil` if there are none.
    open func persistentDomain(forName domainName: String) -> [String: Any]? {
        let values = Self.domain(domainName)?.current() ?? [:]
        return values.isEmpty ? nil : values
    }

    /// Replaces all values of a group or an app.
    open func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        Self.domain(domainName)?.change { $0 = domain }
    }

    /// Removes all values of a group or an app.
    open func removePersistentDomain(forName domainName: String) {
        Self.domain(domainName)?.change { $0 = [:] }
    }

    private static func domain(_ name: String) -> DefaultsFile? {
        name == AppIdentity.current.app ? standard.file : UserDefaults(suiteName: name)?.file
    }
}

extension UserDefaults {
    // MARK: - Reading by type

    /// Returns a string. A number is converted to a string.
    public func string(forKey defaultName: String) -> String? {
        switch object(forKey: defaultName) {
        case let text as String: text
        case let truth as Bool: truth ? "1" : "0"
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    public func array(forKey defaultName: String) -> [Any]? { object(forKey: defaultName) as? [Any] }

    public func stringArray(forKey defaultName: String) -> [String]? {
        let list = array(forKey: defaultName)
        let texts = list?.compactMap { $0 as? String }
        return texts?.count == list?.count ? texts : nil
    }

    public func dictionary(forKey defaultName: String) -> [String: Any]? {
        object(forKey: defaultName) as? [String: Any]
    }

    public func data(forKey defaultName: String) -> Data? { object(forKey: defaultName) as? Data }

    public func integer(forKey defaultName: String) -> Int {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth ? 1 : 0
        case let number as NSNumber: number.intValue
        case let text as String: Int(text) ?? Int(exactly: (Double(text) ?? 0).rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    public func float(forKey defaultName: String) -> Float { Float(double(forKey: defaultName)) }

    public func double(forKey defaultName: String) -> Double {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth ? 1 : 0
        case let number as NSNumber: number.doubleValue
        case let text as String: Double(text) ?? 0
        default: 0
        }
    }

    public func bool(forKey defaultName: String) -> Bool {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// Returns a URL. A string without a scheme is interpreted as a path.
    public func url(forKey defaultName: String) -> URL? {
        guard let text = string(forKey: defaultName) else { return nil }
        if let url = URL(string: text), url.scheme != nil { return url }
        return URL(filePath: (text as NSString).expandingTildeInPath)
    }

    // MARK: - Changing by type

    public func set(_ value: Int, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    public func set(_ value: Float, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    public func set(_ value: Double, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    public func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    public func set(_ url: URL?, forKey defaultName: String) {
        set(url?.absoluteString as Any?, forKey: defaultName)
    }

    // MARK: - Key-value coding

    public func value(forKey key: String) -> Any? { object(forKey: key) }

    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

/// The values of `register(defaults:)` in this process.
private final class RegisteredDefaults: @unchecked Sendable {
    // @unchecked: `lock` guards the values.
    static let shared = RegisteredDefaults()

    private let lock = NSLock()
    private var values: [String: Any] = [:]

    var all: [String: Any] { lock.withLock { values } }

    func value(_ name: String) -> Any? { lock.withLock { values[name] } }

    func add(_ more: [String: Any]) { lock.withLock { values.merge(more) { _, new in new } } }
}
