import Glibc

/// The cgroup hierarchy, version 2, at the place where it is mounted.
package struct CgroupTree: Sendable {
    /// An app's cgroup may contain further cgroups, but not many.
    private static let foldersMax = 256
    private static let depthMax = 16

    /// The folder of the mount.
    private let mount: String
    /// The part of the hierarchy that is mounted. In a container that is not the whole hierarchy.
    private let root: String

    /// Fails if no such hierarchy is mounted.
    package init?() {
        guard let text = ProcFile.text("/proc/self/mountinfo") else { return nil }
        self.init(mountinfo: text)
    }

    package init?(mountinfo: String) {
        for line in mountinfo.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex, dash > 4,
                fields[dash + 1] == "cgroup2"
            else { continue }
            root = fields[3] == "/" ? "" : String(fields[3])
            mount = String(fields[4])
            return
        }
        return nil
    }

    /// The folder of this process's cgroup. `nil` if there is none.
    package static var own: String? {
        guard let tree = CgroupTree(), let text = ProcFile.text("/proc/self/cgroup"),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
        else { return nil }
        return tree.folder(String(line.dropFirst(3)))
    }

    /// The folder of a cgroup. `nil` if it is not below the mount.
    package func folder(_ cgroup: String) -> String? {
        guard cgroup.hasPrefix(root + "/") || cgroup == root, !cgroup.split(separator: "/").contains("..")
        else {
            return nil
        }
        return mount + cgroup.dropFirst(root.count)
    }

    /// The processes in a cgroup and below it. `nil` if this process cannot see one of them, or the cgroup is gone.
    package func members(_ cgroup: String) -> Set<Int32>? {
        guard let folder = folder(cgroup) else { return nil }
        var found: Set<Int32> = []
        var left = Self.foldersMax
        return collect(folder, depth: 0, left: &left, found: &found) ? found : nil
    }

    private func collect(_ folder: String, depth: Int, left: inout Int, found: inout Set<Int32>) -> Bool {
        left -= 1
        guard left >= 0, depth <= Self.depthMax, let text = ProcFile.text(folder + "/cgroup.procs") else {
            return false
        }
        for line in text.split(separator: "\n") {
            // 0 stands for a process in a namespace that this process cannot see.
            guard let pid = Int32(line), pid > 0 else { return false }
            found.insert(pid)
        }
        for name in (try? DirectoryTree.names(in: folder)) ?? [] {
            var info = stat()
            let path = "\(folder)/\(name)"
            guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { continue }
            guard collect(path, depth: depth + 1, left: &left, found: &found) else { return false }
        }
        return true
    }

    /// A number that distinguishes a cgroup from a later one of the same name.
    package func identity(_ cgroup: String) -> Int64? {
        var info = stat()
        guard let folder = folder(cgroup), lstat(folder, &info) == 0 else { return nil }
        return Int64(bitPattern: UInt64(info.st_ino))
    }

    // MARK: - The freezer

    package func mayFreeze(_ cgroup: String) -> Bool {
        folder(cgroup).map { access($0 + "/cgroup.freeze", W_OK) == 0 } ?? false
    }

    /// True if freezing the cgroup was requested.
    package func isFreezing(_ cgroup: String) -> Bool {
        folder(cgroup).flatMap { ProcFile.text($0 + "/cgroup.freeze") }?.hasPrefix("1") ?? false
    }

    /// True if all processes in the cgroup are frozen.
    package func isFrozen(_ cgroup: String) -> Bool {
        guard let text = folder(cgroup).flatMap({ ProcFile.text($0 + "/cgroup.events") }) else {
            return false
        }
        return text.split(separator: "\n").contains("frozen 1")
    }

    /// Freezes or thaws the cgroup. Returns the errno, or 0.
    package func setFreeze(_ isFrozen: Bool, _ cgroup: String) -> Int32 {
        guard let folder = folder(cgroup) else { return ENOENT }
        return ProcFile.write(isFrozen ? "1" : "0", to: folder + "/cgroup.freeze")
    }

    /// Waits until the cgroup is frozen. Returns false at the deadline. The kernel reports the change.
    package func waitUntilFrozen(_ cgroup: String, withinMs: Int64) -> Bool {
        guard let folder = folder(cgroup) else { return false }
        let number = open(folder + "/cgroup.events", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return false }
        let owned = OwnedDescriptor(number)
        let deadlineMs = Stopwatch.milliseconds() + withinMs
        while true {
            // Read through the same descriptor, because the kernel reports changes only after a read.
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = pread(owned.number, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            if text.split(separator: "\n").contains("frozen 1") { return true }
            let leftMs = deadlineMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { return false }
            var item = pollfd(fd: owned.number, events: Int16(POLLPRI), revents: 0)
            _ = poll(&item, 1, Int32(clamping: leftMs))
        }
    }
}
