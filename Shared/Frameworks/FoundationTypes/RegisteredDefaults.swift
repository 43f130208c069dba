import Foundation

/// What `register(defaults:)` gave, in this process.
final class RegisteredDefaults: @unchecked Sendable {
    // @unchecked: the values are read and written under `lock`.
    static let shared = RegisteredDefaults()

    private let lock = NSLock()
    private var values: [String: Any] = [:]

    var all: [String: Any] { lock.withLock { values } }

    func value(_ name: String) -> Any? { lock.withLock { values[name] } }

    func add(_ more: [String: Any]) { lock.withLock { values.merge(more) { _, new in new } } }
}
