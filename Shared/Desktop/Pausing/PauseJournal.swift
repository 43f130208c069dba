import Glibc
package import STContracts
import STDesktop
package import STPlatform

/// The record of all paused apps. Each entry is on the disk before its processes are paused.
///
/// The journal has one JSON line per pause. Each change holds a lock file beside the journal. So the agent and `screentime thaw`
/// never lose each other's lines.
package struct PauseJournal: Sendable {
    package static let fileName = "desktop-agent.paused"
    /// Upper bound on the size of the journal. Only the beginning of a larger file is read.
    static let bytesMax = 4 << 20
    /// Time limit for the lock before a pause.
    private static let lockTimeout = Duration.seconds(5)
    /// Time limit for the lock after a resume. It is short because an ending process has little time, and an extra line is
    /// harmless.
    private static let removeTimeout = Duration.milliseconds(500)

    package let path: String

    package init(path: String) { self.path = path }

    package init(_ directories: Directories) { path = "\(directories.state)/\(Self.fileName)" }

    /// Returns all recorded entries. Unreadable lines are left out.
    package func entries() -> [PauseEntry] {
        guard let bytes = ProcFile.bytes(path, limit: Self.bytesMax) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? PauseEntry.decodedBody(Array(line))
        }
    }

    /// Returns once the line is on the disk. If writing fails, it throws and leaves no part of the line behind.
    package func append(_ entry: PauseEntry) throws(Problem) {
        let line: [UInt8]
        do {
            line = try entry.encodedBody()
        } catch {
            throw Problem(
                "pause.not_written",
                "The journal entry for \(entry.app, "app") cannot be created: \(error, "error")"
            )
        }
        let lock = try lock(within: Self.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        try add(line)
    }

    /// Restores lines that `screentime thaw` removed immediately before their processes were paused.
    package func ensure(_ wanted: [PauseEntry]) throws(Problem) {
        let lock = try lock(within: Self.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        let known = entries()
        for entry in wanted where !known.contains(entry) {
            guard let line = try? entry.encodedBody() else { continue }
            try add(line)
        }
    }

    private func add(_ line: [UInt8]) throws(Problem) {
        let isNew = access(path, F_OK) != 0
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.problem(path, errno) }
        let owned = OwnedDescriptor(number)
        let size = lseek(owned.number, 0, SEEK_END)
        guard size >= 0 else { throw Self.problem(path, errno) }
        let isTorn = size > 0 && Self.lastByte(owned.number, size) != UInt8(ascii: "\n")
        let bytes = (isTorn ? [UInt8(ascii: "\n")] : []) + line + [UInt8(ascii: "\n")]
        guard size + bytes.count <= Self.bytesMax else {
            throw Problem(
                "pause.journal_full",
                "\(path, "path") is full. Run `screentime thaw` to empty it."
            )
        }
        let count = write(owned.number, bytes, bytes.count)
        guard count == bytes.count, fsync(owned.number) == 0 else {
            let number = count >= 0 && count < bytes.count ? ENOSPC : errno
            ftruncate(owned.number, size)
            throw Self.problem(path, number)
        }
        if isNew { try syncFolder() }
    }

    /// Keeps only the entries for which `isKept` returns true.
    package func retain(_ isKept: (PauseEntry) -> Bool) throws(Problem) {
        let lock = try lock(within: Self.removeTimeout)
        defer { withExtendedLifetime(lock) {} }
        try rewrite(entries().filter(isKept))
    }

    /// Resumes the recorded processes and removes their entries, while no other process changes the file.
    ///
    /// `release` runs once without the lock, so that processes resume even if the lock or the file fails. It runs again under the
    /// lock, for pauses in between.
    func release<Result>(_ release: ([PauseEntry]) -> (result: Result, left: [PauseEntry])) -> (
        Result, Problem?
    ) {
        // Nothing was ever recorded here, and the folder for the lock may not exist.
        guard access(path, F_OK) == 0 else { return (release([]).result, nil) }
        let first = release(entries()).result
        let lock: FileLock
        do throws(Problem) {
            lock = try self.lock(within: Self.removeTimeout)
        } catch {
            return (first, error)
        }
        defer { withExtendedLifetime(lock) {} }
        let (result, left) = release(entries())
        do throws(Problem) {
            try rewrite(left)
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    private func rewrite(_ entries: [PauseEntry]) throws(Problem) {
        var bytes: [UInt8] = []
        for entry in entries {
            guard let line = try? entry.encodedBody() else { continue }
            bytes += line + [UInt8(ascii: "\n")]
        }
        if bytes.isEmpty {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.problem(path, errno) }
            return
        }
        try AtomicFile.write(bytes, to: path)
    }

    private func lock(within timeout: Duration) throws(Problem) -> FileLock {
        try FileLock(path: path + ".lock", within: timeout)
    }

    private func syncFolder() throws(Problem) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Self.problem(folder, errno) }
        let owned = OwnedDescriptor(number)
        // Some file systems cannot sync a folder and return EINVAL. No alternative exists there.
        guard fsync(owned.number) == 0 || errno == EINVAL else { throw Self.problem(folder, errno) }
    }

    private static func lastByte(_ number: Int32, _ size: Int) -> UInt8? {
        var byte: UInt8 = 0
        return pread(number, &byte, 1, size - 1) == 1 ? byte : nil
    }

    private static func problem(_ path: String, _ number: Int32) -> Problem {
        Problem(
            "pause.not_written",
            """
            \(path, "path") cannot be written (\(SystemError.text(number), "number")), so Screen Time pauses \
            no apps: it could not resume them after a crash. Free some space, or correct the owner of the \
            file.
            """,
            key: "pause.not_written.nothing-is-paused",
            retryable: true,
            details: ["errno": String(number)]
        )
    }
}

/// One line of the journal: a pause, with all values that another process needs to resume it.
package struct PauseEntry: WireBody, Codable, Equatable {
    package var app: String
    /// The boot ID. A pause does not outlast a restart of the machine.
    package var boot: String
    package var means: PauseMeans
    /// Process ID and start of each process that was sent SIGSTOP, parents first.
    package var processes: [[Int64]]?
    package var cgroup: String?
    /// Distinguishes the cgroup from a later one of the same name.
    package var identity: Int64?
    /// The unit that systemd froze, if this account cannot write the cgroup.
    package var unit: String?

    package static func signal(app: String, boot: String, _ keys: [ProcessKey]) -> PauseEntry {
        PauseEntry(app: app, boot: boot, means: .signal, processes: keys.map { [Int64($0.pid), $0.start] })
    }

    package static func freezer(app: String, boot: String, cgroup: String, identity: Int64, unit: String?)
        -> PauseEntry
    {
        PauseEntry(app: app, boot: boot, means: .freezer, cgroup: cgroup, identity: identity, unit: unit)
    }

    package var keys: [ProcessKey] {
        (processes ?? []).compactMap { pair in
            guard pair.count == 2, let pid = Int32(exactly: pair[0]), pid > 1 else { return nil }
            return ProcessKey(pid: pid, start: pair[1])
        }
    }
}

/// A lock that several processes hold for a moment each, and wait for.
final class FileLock {
    private let owned: OwnedDescriptor

    init(path: String, within timeout: Duration) throws(Problem) {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw Self.problem(path, SystemError.text(errno)) }
        owned = OwnedDescriptor(number)
        let deadlineMs = Stopwatch.milliseconds() + timeout.ms
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw Self.problem(path, SystemError.text(errno))
            }
            guard Stopwatch.milliseconds() < deadlineMs else {
                let length = MessageValue.duration(ms: timeout.ms)
                let reason = Message(
                    "pause.lock-held",
                    "another process has held the lock for \(length, "length")"
                )
                throw Self.problem(path, reason)
            }
            // The kernel does not report when a lock is released. It is held for some milliseconds at most.
            _ = poll(nil, 0, 5)
        }
    }

    /// Unlocks explicitly, because a child that is being started has a copy of the descriptor until its exec.
    deinit { flock(owned.number, LOCK_UN) }

    private static func problem(_ path: String, _ reason: Message) -> Problem {
        Problem(
            "pause.not_locked",
            """
            \(path, "path") cannot be locked: \(reason, "reason"). Screen Time pauses no apps until it can \
            lock the file.
            """,
            retryable: true
        )
    }
}
