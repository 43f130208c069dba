import Glibc
import STPlatform

/// Options for opening a database.
package struct DatabaseOptions: Sendable, Equatable {
    /// The guarantee that a returned commit gives.
    package enum Synchronous: Int, Sendable, Equatable {
        /// A power failure may damage the file. Use it only for data that can be rebuilt, and for tests.
        case off = 0
        /// A commit that has returned is on the disk.
        case full = 2
    }

    package var synchronous: Synchronous
    /// The number of transactions that share one commit. A crash can lose all of them, not only the last. For simulations, whose
    /// data is disposable.
    package var transactionsPerCommit: Int
    /// Opens for reading only. If two connections write or checkpoint, the file can be damaged.
    package var readOnly: Bool
    /// The application id written to the file. A file with another id is rejected.
    package var applicationID: Int32
    /// True if closing records the file's content, so that the next open detects changes by other programs.
    package var isSealed: Bool
    /// The SQLite file system (VFS). `nil` is the default. Only tests use another.
    package var vfs: String?

    package init(
        synchronous: Synchronous = .full,
        transactionsPerCommit: Int = 1,
        readOnly: Bool = false,
        applicationID: Int32,
        isSealed: Bool = false,
        vfs: String? = nil
    ) {
        self.synchronous = synchronous
        self.transactionsPerCommit = transactionsPerCommit
        self.readOnly = readOnly
        self.applicationID = applicationID
        self.isSealed = isSealed
        self.vfs = vfs
    }
}

/// The checks and changes of a database file that SQLite itself does not make.
struct DatabaseFile {
    /// True if the last process did not close the database. A clean close checkpoints the write-ahead log and removes it.
    var wasStoppedUncleanly: Bool

    /// Creates the file if it does not exist, private to its owner. SQLite gives its log files the same mode.
    static func prepare(_ path: String, _ options: DatabaseOptions) throws -> DatabaseFile {
        if options.readOnly { return DatabaseFile(wasStoppedUncleanly: false) }
        try requireWritableDirectory(of: path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw refusal(path, errno) }
        // Root may write to every file, so check the mode too. It states the owner's intention.
        guard status.st_mode & S_IWUSR != 0 else {
            throw StoreProblem.readOnly(path, Message("store.mode-read-only", "its mode is read-only"))
        }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw refusal(path, errno) }
        return DatabaseFile(wasStoppedUncleanly: size(path + "-wal") > 0 || size(path + "-journal") > 0)
    }

    /// The identity and length of the file at a path.
    struct FileState {
        var device: UInt
        var inode: UInt
        var bytes: Int64

        func isSame(as other: FileState) -> Bool { device == other.device && inode == other.inode }
    }

    static func state(_ path: String) -> FileState? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileState(device: status.st_dev, inode: status.st_ino, bytes: Int64(status.st_size))
    }

    /// Renames a database and its log. Returns the new name, or `nil` if there is no database.
    @discardableResult
    static func moveAside(_ path: String, as suffix: String) throws -> String? {
        guard exists(path) else { return nil }
        let name = "\(path).\(suffix)-\(RFC3339.text(wallMs: SystemTimeSource().now().wallMs))"
        for part in ["", "-wal"] where exists(path + part) {
            guard rename(path + part, name + part) == 0 else { throw refusal(path, errno) }
        }
        unlink(path + "-shm")
        return name
    }

    /// Replaces the database with the copy that `data restore` has placed beside it. Returns true if there was a copy.
    static func consumeRestoredMark(_ path: String) throws -> Bool {
        let copy = path + ".restore"
        guard exists(copy) else { return false }
        try moveAside(path, as: "before-restore")
        guard rename(copy, path) == 0 else { throw refusal(path, errno) }
        try synchronize(directory(of: path))
        return true
    }

    // MARK: - The seal of a clean close

    /// Records the file's content. Errors are ignored because without a seal the next open only skips the comparison.
    static func seal(_ path: String) {
        guard let content = FileMark.content(of: path) else { return }
        try? AtomicFile.write(Array(content.utf8), to: sealPath(path), durable: false)
    }

    /// True if the file differs from the one at the last clean close. Removes the seal.
    static func isUnsealed(_ path: String) -> Bool {
        let seal = sealPath(path)
        guard let noted = try? AtomicFile.read(seal, limitBytes: 100) else { return false }
        unlink(seal)
        return String(decoding: noted, as: UTF8.self) != FileMark.content(of: path) ?? ""
    }

    private static func sealPath(_ path: String) -> String { path + ".seal" }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Syncs a file, or the names in a directory, to the disk, so that they survive a power failure.
    static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refusal(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw refusal(path, errno) }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func refusal(_ path: String, _ number: Int32) -> Problem {
        switch number {
        case EACCES, EPERM, EROFS: StoreProblem.readOnly(path, SystemError.text(number))
        case ENOSPC, EDQUOT:
            Problem(
                "store.disk_full",
                "There is no space left on the disk of \(path, "path"). Free some space and try again.",
                retryable: true,
                details: ["path": path]
            )
        default:
            Problem(
                "store.cannot_open",
                """
                \(path, "path") cannot be opened (\(SystemError.text(number), "number")); check that its \
                directory exists.
                """,
                details: ["path": path, "errno": String(number)]
            )
        }
    }

    private static func requireWritableDirectory(of path: String) throws {
        let folder = directory(of: path)
        guard faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else { throw refusal(folder, errno) }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
