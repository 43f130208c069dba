import Foundation
import STPlatform

/// A property list that several processes read and change.
///
/// Each change holds a lock file that all these processes use, and applies to the current content of the file. The change is in
/// the file when the call returns. Every read is current: the file that was read last stays open, so its inode cannot be reused.
/// Another inode at the path means different content.
package final class DefaultsFile: @unchecked Sendable {
    // @unchecked: `lock` guards all mutable state.

    /// The maximum size of a file. It exceeds the settings of any app. A file is read as a whole.
    static let bytesMax = 4 * 1024 * 1024

    private struct Version: Equatable {
        var device: UInt
        var inode: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        init(_ about: stat) {
            device = UInt(about.st_dev)
            inode = UInt(about.st_ino)
            size = Int(about.st_size)
            seconds = about.st_mtim.tv_sec
            nanoseconds = about.st_mtim.tv_nsec
        }
    }

    private let path: String
    private let lock = NSLock()
    private var values: [String: Any] = [:]
    private var version: Version?
    private var held: OwnedDescriptor?

    init(path: String) { self.path = path }

    package func current() -> [String: Any] {
        lock.withLock {
            do {
                try refresh()
            } catch {
                let reason = (error as? Problem)?.description ?? "\(error)"
                FrameworkLog.storage.error(
                    "cannot read \(self.path): \(reason)"
                )
            }
            return values
        }
    }

    /// Changes the values. Returns true if the change is in the file.
    @discardableResult
    package func change(_ body: (inout [String: Any]) -> Void) -> Bool {
        lock.withLock {
            do {
                let turn = try takeTurn()
                defer { withExtendedLifetime(turn) {} }
                try refresh()
                var changed = values
                body(&changed)
                try write(changed)
                return true
            } catch {
                let reason = (error as? Problem)?.description ?? "\(error)"
                FrameworkLog.storage.error("not stored in \(self.path): \(reason)")
                return false
            }
        }
    }

    /// Writes the file from the kernel's memory to the disk. Returns true on success.
    func flush() -> Bool {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return errno == ENOENT }
        defer { close(number) }
        return fsync(number) == 0
    }

    // MARK: - Under the lock

    /// Acquires the lock between processes. The lock is a separate file, because each change replaces the property list.
    private func takeTurn() throws -> OwnedDescriptor {
        try Directories.prepare((path as NSString).deletingLastPathComponent)
        let number = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw SystemError.make("open", number: errno) }
        let owned = OwnedDescriptor(number)
        var result: Int32
        repeat { result = flock(number, LOCK_EX) } while result != 0 && errno == EINTR
        guard result == 0 else { throw SystemError.make("flock", number: errno) }
        return owned
    }

    private func refresh() throws {
        var about = stat()
        let exists = stat(path, &about) == 0
        guard exists else {
            // Discard the values only if the file certainly does not exist.
            if errno == ENOENT { forget() }
            return
        }
        if Version(about) != version { try read() }
    }

    private func forget() {
        values = [:]
        version = nil
        held = nil
    }

    private func read() throws {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SystemError.make("open", number: errno) }
        let owned = OwnedDescriptor(number)
        var about = stat()
        guard fstat(number, &about) == 0 else { throw SystemError.make("fstat", number: errno) }
        guard about.st_size <= Self.bytesMax else { throw Self.tooLarge(Int(about.st_size)) }
        var bytes = Data(count: Int(about.st_size))
        let count = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw SystemError.make("read", number: errno) }
        version = Version(about)
        held = owned
        values = Self.decoded(bytes) ?? setAside()
    }

    /// Renames a file that is not a property list, so that a person can inspect it.
    private func setAside() -> [String: Any] {
        let name = path + ".broken"
        let isKept = rename(path, name) == 0
        FrameworkLog.storage.fault(
            "\(self.path) is not a property list; \(isKept ? "kept as \(name)" : "it stays")"
        )
        return [:]
    }

    private func write(_ changed: [String: Any]) throws {
        let bytes = try PropertyListSerialization.data(fromPropertyList: changed, format: .binary, options: 0)
        guard bytes.count <= Self.bytesMax else { throw Self.tooLarge(bytes.count) }
        try AtomicFile.write([UInt8](bytes), to: path, durable: false)
        // Read the file again, so that a value is the same in this process as in all others.
        try read()
    }

    private static func decoded(_ bytes: Data) -> [String: Any]? {
        if bytes.isEmpty { return [:] }
        return try? PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
            as? [String: Any]
    }

    static func tooLarge(_ count: Int) -> Problem {
        Problem(
            "defaults.too_large",
            """
            The settings are too large (\(TextFormat.bytes(Int64(count)), "count"); the limit is \
            \(TextFormat.bytes(Int64(bytesMax)), "bytes")). Store the rest in a file in the group's container
            """
        )
    }
}

/// The `DefaultsFile` of each path, shared by all `UserDefaults` of the process.
package final class DefaultsFiles: @unchecked Sendable {
    // @unchecked: `lock` guards the table.
    package static let shared = DefaultsFiles()

    private struct Entry {
        weak var file: DefaultsFile?
    }

    private let lock = NSLock()
    private var entries: [String: Entry] = [:]

    package func file(_ path: String) -> DefaultsFile {
        lock.withLock {
            if let file = entries[path]?.file { return file }
            entries = entries.filter { $0.value.file != nil }
            let file = DefaultsFile(path: path)
            entries[path] = Entry(file: file)
            return file
        }
    }
}
