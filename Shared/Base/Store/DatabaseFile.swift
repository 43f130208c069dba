import Glibc
import STPlatform

/// How a database is opened.
package struct DatabaseOptions: Sendable, Equatable {
    /// When a commit has reached the disk.
    package enum Synchronous: Int, Sendable, Equatable {
        /// A power cut may damage the file. Only for what is then made anew, and for tests.
        case off = 0
        /// A commit that returned is on the disk.
        case full = 2
    }

    package var synchronous: Synchronous
    /// So many transactions share one commit: what an end in between loses is more than the last. For simulations, which
    /// have nothing to lose.
    package var transactionsPerCommit: Int
    /// Opens for reading only: with two connections that write or checkpoint, the file can be damaged.
    package var readOnly: Bool
    /// Marks the file as this service's, so that opening another database put in its place is refused.
    package var applicationID: Int32
    /// Whether a clean end notes what is in the file, so that the next start sees whether it was changed meanwhile.
    package var isSealed: Bool
    /// The SQLite file system; nil is the default, and only tests use another.
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

/// What is known of a database file before SQLite opens it, and what SQLite does not do for a file.
struct DatabaseFile {
    /// Whether the last stop left a log behind: a clean one checkpoints everything and removes it.
    var wasStoppedUncleanly: Bool

    /// Makes the file when there is none, private to its owner; the log files take over its mode.
    static func prepare(_ path: String, _ options: DatabaseOptions) throws -> DatabaseFile {
        if options.readOnly { return DatabaseFile(wasStoppedUncleanly: false) }
        try requireWritableDirectory(of: path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw refusal(path, errno) }
        // Root may write to every file, so the mode is read as well: it says what the owner wanted.
        guard status.st_mode & S_IWUSR != 0 else {
            throw StoreProblem.readOnly(path, Message("store.mode-read-only", "its mode is read-only"))
        }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { throw refusal(path, errno) }
        return DatabaseFile(wasStoppedUncleanly: size(path + "-wal") > 0 || size(path + "-journal") > 0)
    }

    /// Which file stands under a name, and how long it is.
    struct Standing {
        var device: UInt
        var inode: UInt
        var bytes: Int64

        func isSame(as other: Standing) -> Bool { device == other.device && inode == other.inode }
    }

    static func standing(_ path: String) -> Standing? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Standing(device: status.st_dev, inode: status.st_ino, bytes: Int64(status.st_size))
    }

    /// Gives a database and its log another name; nil where there is none. Returns the new name.
    @discardableResult
    static func putAside(_ path: String, as suffix: String) throws -> String? {
        guard exists(path) else { return nil }
        let name = "\(path).\(suffix)-\(RFC3339.text(wallMs: SystemTimeSource().now().wallMs))"
        for part in ["", "-wal"] where exists(path + part) {
            guard rename(path + part, name + part) == 0 else { throw refusal(path, errno) }
        }
        unlink(path + "-shm")
        return name
    }

    /// Takes up a copy that `data restore` has laid beside the database; returns whether there was one.
    static func takeRestored(_ path: String) throws -> Bool {
        let copy = path + ".restore"
        guard exists(copy) else { return false }
        try putAside(path, as: "before-restore")
        guard rename(copy, path) == 0 else { throw refusal(path, errno) }
        try synchronize(directory(of: path))
        return true
    }

    // MARK: - The seal of a clean end

    /// Notes what is in the file. Without a seal the next start has nothing to compare, so a failure does no harm.
    static func seal(_ path: String) {
        guard let content = FileMark.content(of: path) else { return }
        try? AtomicFile.write(Array(content.utf8), to: sealPath(path), durable: false)
    }

    /// Whether the file is another one than at the last clean end. The seal is gone afterwards.
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

    /// Makes what was written to a file, or the names in a directory, survive a power cut.
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
