public import Foundation
package import STPlatform

/// Differs from Foundation's in two ways: a change is in the file when the call returns, and every read sees
/// what other processes wrote. `standard` belongs to the app and its extensions; `init(suiteName:)` opens a
/// group's.
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
    public static let standard = UserDefaults()

    /// Nil when there is no state directory: then nothing is kept.
    private let file: DefaultsFile?

    public override convenience init() { self.init(app: AppIdentity.current.app, folders: .current) }

    /// A group's settings, such as `group.com.example.app`; the app's own without a name. Nil, with the
    /// reason in the log, for a bad name.
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

    /// All that there is, registered values included.
    open func dictionaryRepresentation() -> [String: Any] {
        RegisteredDefaults.shared.all.merging(file?.current() ?? [:]) { _, stored in stored }
    }

    // MARK: - Changing

    /// Stores a property list value; nil removes it. Anything else is not stored, and the log says so.
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
                "“\(defaultName)” is not stored: \(kind) is not a property list value; encode it first"
            )
            return
        }
        change { $0[defaultName] = value }
    }

    open func removeObject(forKey defaultName: String) { change { $0[defaultName] = nil } }

    /// For this process only, as on a phone.
    open func register(defaults registrationDictionary: [String: Any]) {
        RegisteredDefaults.shared.add(registrationDictionary)
    }

    /// Waits until all changes are on the disk; other processes see them without this.
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

    /// An optional that came as `Any`.
    package static func unwrapped(_ value: Any) -> Any? {
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

extension UserDefaults {
    // MARK: - Reading by type

    /// A text; a number is written out.
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

    /// An address; a text without a scheme is a path.
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
    // @unchecked: the values are read and written under `lock`.
    static let shared = RegisteredDefaults()

    private let lock = NSLock()
    private var values: [String: Any] = [:]

    var all: [String: Any] { lock.withLock { values } }

    func value(_ name: String) -> Any? { lock.withLock { values[name] } }

    func add(_ more: [String: Any]) { lock.withLock { values.merge(more) { _, new in new } } }
}
