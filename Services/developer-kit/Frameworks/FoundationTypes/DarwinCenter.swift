import Foundation
import Glibc
import STPlatform
import Synchronization

// Core Foundation's types are Swift's own types, so that `"name" as CFString` is the string itself.
public typealias CFString = String
public typealias CFDictionary = [String: Any]

public struct CFNotificationName: RawRepresentable, Hashable, Sendable {
    public let rawValue: CFString

    public init(_ rawValue: CFString) { self.rawValue = rawValue }

    public init(rawValue: CFString) { self.rawValue = rawValue }
}

public enum CFNotificationSuspensionBehavior: Int, Sendable {
    case drop = 1
    case coalesce, hold, deliverImmediately
}

public typealias CFNotificationCallback = (
    CFNotificationCenter?, UnsafeMutableRawPointer?, CFNotificationName?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// Notifications between the processes of one app. A notification consists of a name only.
///
/// A post writes a file to the app's folder, which a sandboxed extension may do as well. The kernel reports it to the observers,
/// which are called on the main thread. Several posts can result in one call. On a phone all apps receive a notification. With
/// this implementation only the same app receives it.
public final class CFNotificationCenter: Sendable {
    static let darwin = CFNotificationCenter()

    private struct Observer: @unchecked Sendable {
        // @unchecked: the closure runs only on the main thread, and the pointer is only returned to the caller.
        let pointer: UnsafeRawPointer?
        let name: String
        let callback: CFNotificationCallback
    }

    private struct State {
        var observers: [Observer] = []
        var isWatching = false
    }

    /// The maximum length of a name in bytes. The name of its file has two digits for each byte.
    private static let nameBytesMax = 110
    private let state = Mutex(State())

    private init() {}

    private static func folder() throws -> String? {
        guard let folder = try StateFolders.current?.app(AppIdentity.current.app) else { return nil }
        let path = folder + "/Library/Darwin"
        try Directories.prepare(path)
        return path
    }

    /// Returns the name of the file for a notification.
    private static func file(_ name: String) -> String {
        name.utf8.prefix(nameBytesMax).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func post(_ name: String) {
        do {
            guard let folder = try Self.folder() else { return }
            try AtomicFile.write([], to: "\(folder)/\(Self.file(name))", durable: false)
        } catch {
            FrameworkLog.host.error("\(name) was not posted: \(error)")
        }
    }

    func add(_ pointer: UnsafeRawPointer?, name: String, callback: @escaping CFNotificationCallback) {
        let observer = Observer(pointer: pointer, name: name, callback: callback)
        let isFirst = state.withLock { state in
            state.observers.append(observer)
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard isFirst else { return }
        do {
            guard let folder = try Self.folder() else { return }
            let watch = inotify_init1(Int32(IN_CLOEXEC))
            guard watch >= 0, inotify_add_watch(watch, folder, UInt32(IN_MOVED_TO)) >= 0 else {
                throw SystemError.last("inotify")
            }
            let thread = Thread { [self] in follow(OwnedDescriptor(watch)) }
            thread.name = "notifications"
            thread.start()
        } catch {
            state.withLock { $0.isWatching = false }
            FrameworkLog.host.error("\(name) cannot be observed: \(error)")
        }
    }

    /// Removes the observers with this pointer. If `name` is not `nil`, only observers of that name are removed.
    func remove(_ pointer: UnsafeRawPointer?, _ name: String?) {
        state.withLock { state in
            state.observers.removeAll { $0.pointer == pointer && (name == nil || $0.name == name) }
        }
    }

    private func follow(_ watch: OwnedDescriptor) {
        let header = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(watch.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var names: Set<String> = []
            var place = 0
            while place + header <= count {
                let length = buffer.withUnsafeBytes {
                    Int($0.loadUnaligned(fromByteOffset: place, as: inotify_event.self).len)
                }
                let bytes = buffer[(place + header)..<min(count, place + header + length)].prefix { $0 != 0 }
                names.insert(String(decoding: bytes, as: UTF8.self))
                place += header + length
            }
            DispatchQueue.main.async { [self, names] in tell(names) }
        }
    }

    private func tell(_ files: Set<String>) {
        for observer in state.withLock({ $0.observers }) where files.contains(Self.file(observer.name)) {
            observer.callback(
                self,
                observer.pointer.map { UnsafeMutableRawPointer(mutating: $0) },
                CFNotificationName(observer.name),
                nil,
                nil
            )
        }
    }
}

// Apple's names of these functions begin with a capital letter.

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! { .darwin }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNotificationCenterPostNotification(
    _ center: CFNotificationCenter!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!,
    _ userInfo: CFDictionary!,
    _ deliverImmediately: Bool
) {
    center?.post(name.rawValue)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNotificationCenterAddObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ callBack: CFNotificationCallback!,
    _ name: CFString!,
    _ object: UnsafeRawPointer!,
    _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
    guard let name, let callBack else { return }
    center?.add(observer, name: name, callback: callBack)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNotificationCenterRemoveObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ name: CFNotificationName!,
    _ object: UnsafeRawPointer!
) {
    center?.remove(observer, name?.rawValue)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFNotificationCenterRemoveEveryObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!
) {
    center?.remove(observer, nil)
}
