import Glibc
import STCPlatform
import Synchronization

/// Reads and writes small files atomically: even after a crash, a file is complete or does not exist.
package enum AtomicFile {
    /// Gives each call a different temporary file, because threads may write at the same time.
    private static let counter = Atomic<UInt64>(0)

    /// Replaces the file.
    ///
    /// A reader sees either the old or the new content, never a part.
    ///
    /// A durable write survives a power failure once this returns. A write that is not durable does not wait for the disk. Use it
    /// for files that a restart creates again.
    package static func write(
        _ bytes: [UInt8],
        to path: String,
        mode: UInt32 = 0o600,
        durable: Bool = true
    ) throws(Problem) {
        let serial = counter.add(1, ordering: .relaxed).newValue
        let temporary = "\(path).\(getpid()).\(serial).tmp"
        // The pid is now ours, so a file of that name was left by a process that has ended.
        unlink(temporary)
        let number = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard number >= 0 else { throw FileProblem.make(.write, path: path, number: errno) }
        let owned = OwnedDescriptor(number)
        do throws(Problem) {
            if !OwnedDescriptor.write(bytes, to: owned.number) {
                throw FileProblem.make(.write, path: path, number: errno)
            }
            if durable && fsync(owned.number) != 0 {
                throw FileProblem.make(.write, path: path, number: errno)
            }
            if rename(temporary, path) != 0 { throw FileProblem.make(.write, path: path, number: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        if durable { try syncDirectory(of: path) }
    }

    /// Returns the whole file. Throws if it is larger than the limit.
    package static func read(_ path: String, limitBytes: Int) throws(Problem) -> [UInt8] {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw FileProblem.make(.read, path: path, number: errno) }
        let owned = OwnedDescriptor(number)
        return try OwnedDescriptor.readAll(
            owned.number,
            limitBytes: limitBytes,
            tooLarge: Problem(
                "file.too_large",
                "\(path, "path") is larger than \(TextFormat.bytes(Int64(limitBytes)), "limitBytes"); make it smaller",
                key: "file.too_large.is-larger-than"
            ),
            failed: { FileProblem.make(.read, path: path, number: $0) }
        )
    }

    /// Syncs the directory, because only then is the new name on the disk.
    private static func syncDirectory(of path: String) throws(Problem) {
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw FileProblem.make(.read, path: parent, number: errno) }
        let owned = OwnedDescriptor(number)
        // Some file systems cannot sync a directory and return EINVAL. Nothing more can be done on them.
        guard fsync(owned.number) == 0 || errno == EINVAL else {
            throw FileProblem.make(.write, path: parent, number: errno)
        }
    }
}

/// Lists and removes folders.
package enum DirectoryTree {
    /// True if the file is on a FUSE file system. Any account can mount one, so the reported owner cannot be trusted. Also true if
    /// the file system cannot be determined.
    package static func isOnFuse(_ path: String) -> Bool { st_file_is_fuse(path) != 0 }

    /// The absolute path without links and dots. `nil` if nothing exists at the path.
    package static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// A greater depth than any folder that Screen Time creates. A deeper folder is not ours to remove.
    private static let depthMax = 16

    /// Removes a folder and its contents without following links. A folder that does not exist is not an error.
    package static func remove(_ path: String) throws(Problem) { try remove(path, depth: 0) }

    private static func remove(_ path: String, depth: Int) throws(Problem) {
        guard depth <= depthMax else {
            throw Problem(
                "directory.too_deep",
                "\(path, "path") is nested too deeply to be removed automatically; look at it and remove it by hand."
            )
        }
        var info = stat()
        guard lstat(path, &info) == 0 else {
            if errno == ENOENT { return }
            throw FileProblem.make(.remove, path: path, number: errno)
        }
        if info.st_mode & S_IFMT == S_IFDIR {
            for name in try names(in: path) { try remove("\(path)/\(name)", depth: depth + 1) }
            guard rmdir(path) == 0 || errno == ENOENT else {
                throw FileProblem.make(.remove, path: path, number: errno)
            }
        } else {
            guard unlink(path) == 0 || errno == ENOENT else {
                throw FileProblem.make(.remove, path: path, number: errno)
            }
        }
    }

    /// The sorted names of a folder's entries, without `.` and `..`.
    package static func names(in path: String) throws(Problem) -> [String] {
        guard let stream = opendir(path) else { throw FileProblem.make(.read, path: path, number: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Problems of files that cannot be used.
enum FileProblem {
    /// The operation that failed.
    enum Operation {
        case bind, create, link, lock, open, read, remove, write

        fileprivate func failed(_ path: String, _ reason: MessageValue) -> Message {
            switch self {
            case .bind: Message("file.cannot-bind", "cannot bind \(path, "path"): \(reason, "reason")")
            case .create: Message("file.cannot-create", "cannot create \(path, "path"): \(reason, "reason")")
            case .link: Message("file.cannot-link", "cannot link \(path, "path"): \(reason, "reason")")
            case .lock: Message("file.cannot-lock", "cannot lock \(path, "path"): \(reason, "reason")")
            case .open: Message("file.cannot-open", "cannot open \(path, "path"): \(reason, "reason")")
            case .read: Message("file.cannot-read", "cannot read \(path, "path"): \(reason, "reason")")
            case .remove: Message("file.cannot-remove", "cannot remove \(path, "path"): \(reason, "reason")")
            case .write: Message("file.cannot-write", "cannot write \(path, "path"): \(reason, "reason")")
            }
        }
    }

    static func make(_ act: Operation, path: String, number: Int32) -> Problem {
        let reason: Message? =
            switch number {
            case ENOENT: Message("file.not_found", "it does not exist")
            case EACCES, EPERM:
                Message("file.not_permitted", "this user does not have permission; correct its owner or mode")
            case ENOSPC, EDQUOT: Message("file.disk_full", "there is no space left; free some space")
            case EROFS: Message("file.read_only", "the file system is read-only; choose another place")
            case EISDIR: Message("file.is_directory", "a directory is in the way; move it away")
            case ELOOP:
                Message("file.is_link", "it is a symbolic link; remove it, or name its target instead")
            case EMFILE, ENFILE:
                Message("file.too_many_open", "too many files are open; raise the limit or end processes")
            default: nil
            }
        // The code of the problem is the key of the reason.
        return Problem(
            reason?.key ?? "file.failed",
            text: act.failed(path, reason.map(MessageValue.message) ?? .message(SystemError.text(number))),
            details: ["errno": String(number)]
        )
    }
}
