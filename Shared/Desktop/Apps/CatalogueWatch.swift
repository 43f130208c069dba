import Glibc
package import STPlatform

/// Reports when desktop entries are installed or removed. It uses inotify and does not poll.
///
/// If a folder does not exist yet, the nearest existing folder above it is watched.
package final class CatalogueWatch: @unchecked Sendable {
    // @unchecked: everything except `thread` and the constants is used on the loop's thread only.

    /// Upper bound on inotify watches. The kernel's limit is some thousands for all programs of an account together.
    package static let watchesMax = 128
    /// Upper bound on folders that are entered, watched or not.
    private static let foldersMax = 256
    private static let files = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    )
    private static let arrivals = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)

    private let thread: LoopThread
    private let folders: [String]
    private let quiet: Duration
    private let delayMax: Duration
    private let onChange: @Sendable () -> Void
    private let descriptor: OwnedDescriptor
    /// Watches by number. The names are the missing folders that the watch waits for. They are empty for an entry folder.
    private var watches: [Int32: Set<String>] = [:]
    private var foldersLeft = 0
    private var firstMs: Int64?
    private var timer: UInt64?
    private var isClosed = false

    /// Folders that cannot be watched, because a limit is reached. Changes in them are detected at the next start.
    package private(set) var unwatched: [String] = []

    /// Calls `changed` on the thread after `quiet` without further changes, at the latest after `delayMax`.
    package init(
        _ thread: LoopThread,
        folders: [String],
        quiet: Duration = .milliseconds(500),
        delayMax: Duration = .seconds(5),
        _ changed: @escaping @Sendable () -> Void
    ) throws(Problem) {
        self.thread = thread
        self.folders = folders
        self.quiet = quiet
        self.delayMax = delayMax
        self.onChange = changed
        let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard number >= 0 else { throw SystemError.last("inotify_init1") }
        descriptor = OwnedDescriptor.inotify(number)
        // The folders are watched when this returns, so that a later reading misses no change.
        arm()
        thread.post { [self] in
            guard !isClosed else { return }
            thread.currentWaiter.watch(descriptor: descriptor.number) { [weak self] in self?.drain() }
        }
    }

    /// Stops the callbacks. Can be called from any thread.
    package func close() {
        thread.post { [self] in
            guard !isClosed else { return }
            isClosed = true
            thread.currentWaiter.unwatch(descriptor: descriptor.number)
            if let timer { thread.cancelTimer(timer) }
            timer = nil
            for watch in watches.keys { inotify_rm_watch(descriptor.number, watch) }
            watches = [:]
        }
    }

    // MARK: - Watching

    /// Updates the watches. A folder that is already watched keeps its number.
    private func arm() {
        foldersLeft = Self.foldersMax
        let before = Set(watches.keys)
        watches = [:]
        unwatched = []
        for folder in folders { arm(folder, depth: 0) }
        for watch in before.subtracting(watches.keys) { inotify_rm_watch(descriptor.number, watch) }
    }

    /// Links can form cycles or lead to the same folder many times. Each folder is entered once, up to `foldersMax`.
    private func arm(_ folder: String, depth: Int) {
        guard foldersLeft > 0 else { return }
        foldersLeft -= 1
        switch add(folder, Self.files, waitingFor: nil) {
        case .failed:
            if errno == ENOENT || errno == ENOTDIR { watchParent(folder) }
            return
        case .known: return
        case .added: break
        }
        guard depth + 1 < AppEntryReader.depthMax, let names = try? DirectoryTree.names(in: folder) else {
            return
        }
        for name in names where !name.hasSuffix(".desktop") {
            var info = stat()
            let path = "\(folder)/\(name)"
            guard foldersLeft > 0, stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { continue }
            arm(path, depth: depth + 1)
        }
    }

    private func watchParent(_ folder: String) {
        var path = folder
        while path != "/", let slash = path.lastIndex(of: "/") {
            let name = String(path[path.index(after: slash)...])
            path = slash == path.startIndex ? "/" : String(path[..<slash])
            if add(path, Self.arrivals, waitingFor: name) != .failed {
                // The folder may have been created after the first attempt.
                var info = stat()
                let wanted = path == "/" ? "/\(name)" : "\(path)/\(name)"
                if stat(wanted, &info) == 0, info.st_mode & S_IFMT == S_IFDIR { scheduleSoon() }
                return
            }
            if errno != ENOENT && errno != ENOTDIR { return }
        }
    }

    private enum Added {
        case added
        /// Another path leads to the same folder.
        case known
        /// `errno` has the reason.
        case failed
    }

    private func add(_ path: String, _ mask: UInt32, waitingFor name: String?) -> Added {
        guard watches.count < Self.watchesMax else {
            unwatched.append(path)
            errno = ENOSPC
            return .failed
        }
        // IN_MASK_ADD, because one folder can be watched for several missing names.
        let number = inotify_add_watch(
            descriptor.number,
            path,
            mask | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK) | UInt32(IN_MASK_ADD)
        )
        guard number >= 0 else {
            let reason = errno
            if reason != ENOENT && reason != ENOTDIR { unwatched.append(path) }
            errno = reason
            return .failed
        }
        guard let name else {
            // The kernel returns the same number for a folder that is already watched.
            let isKnown = watches[number] == []
            watches[number] = []
            return isKnown ? .known : .added
        }
        // A watch of an entry folder already reports every name.
        if watches[number] != [] { watches[number, default: []].insert(name) }
        return .added
    }

    // MARK: - Events

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            var offset = 0
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                }
                let start = offset + MemoryLayout<inotify_event>.size
                let end = min(count, start + Int(event.len))
                let name = String(decoding: buffer[start..<end].prefix { $0 != 0 }, as: UTF8.self)
                if isRelevant(event, name) { scheduleSoon() }
                offset = max(end, start)
            }
        }
    }

    /// Returns true for events of desktop entries and folders. Installers also create and delete temporary files.
    private func isRelevant(_ event: inotify_event, _ name: String) -> Bool {
        let flags = UInt32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)
        if event.mask & flags != 0 { return true }
        guard event.mask & UInt32(IN_IGNORED) == 0, let waited = watches[event.wd] else { return false }
        if !waited.isEmpty { return waited.contains(name) }
        return name.hasSuffix(".desktop") || event.mask & UInt32(IN_ISDIR) != 0
    }

    private func scheduleSoon() {
        let now = Stopwatch.milliseconds()
        let first = firstMs ?? now
        firstMs = first
        let delay = min(quiet, max(.zero, delayMax - .milliseconds(now - first)))
        guard thread.isCurrent else {
            thread.post { [self] in schedule(after: delay) }
            return
        }
        schedule(after: delay)
    }

    private func schedule(after delay: Duration) {
        guard !isClosed else { return }
        if let timer { thread.cancelTimer(timer) }
        timer = thread.after(milliseconds: delay.ms) { [weak self] in self?.reportChange() }
    }

    private func reportChange() {
        timer = nil
        firstMs = nil
        guard !isClosed else { return }
        arm()
        onChange()
    }
}
