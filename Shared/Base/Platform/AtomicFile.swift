import Glibc
import Synchronization

/// Small files that are there whole or not at all, also after a crash.
package enum AtomicFile {
    /// Tells apart the temporary files of two threads.
    private static let counter = Atomic<UInt64>(0)

    /// Replaces the file.
    ///
    /// A reader sees the old content or the new, never a part.
    ///
    /// Durable means that it survives a power cut once this returns; without that it costs no wait for the disk, which
    /// is right for what a restart makes again.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o600,
        durable: Bool = true
    ) throws(Problem) {
        let serial = counter.add(1, ordering: .relaxed).newValue
        let temporary = "\(path).\(getpid()).\(serial).tmp"
        // A file of that name can only be left over from a process that died, as the pid is ours now.
        unlink(temporary)
        let number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard number >= 0 else { throw FileProblem.make("write", path, errno) }
        let owned = OwnedDescriptor(number)
        do throws(Problem) {
            try writeAll(bytes, owned.number, path)
            if durable && fsync(owned.number) != 0 { throw FileProblem.make("write", path, errno) }
            if rename(temporary, path) != 0 { throw FileProblem.make("write", path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        if durable { try syncDirectory(of: path) }
    }

    /// The whole file, or a problem when it is larger than the limit.
    package static func read(_ path: String, limitBytes: Int) throws(Problem) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw FileProblem.make("read", path, errno) }
        let owned = OwnedDescriptor(number)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(owned.number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileProblem.make("read", path, errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limitBytes else {
                throw Problem(
                    "file.too_large",
                    "\(path) is larger than \(TextFormat.bytes(Int64(limitBytes))); make it smaller"
                )
            }
            bytes += part[..<count]
        }
    }

    private static func writeAll(_ bytes: [UInt8], _ number: Int32, _ path: String) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileProblem.make("write", path, errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// The new name itself is only on disk once the directory is.
    private static func syncDirectory(of path: String) throws(Problem) {
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileProblem.make("read", parent, errno) }
        let owned = OwnedDescriptor(number)
        // Some file systems cannot sync a directory and say EINVAL; there is nothing more to be done on them.
        guard fsync(owned.number) == 0 || errno == EINVAL else {
            throw FileProblem.make("write", parent, errno)
        }
    }
}
