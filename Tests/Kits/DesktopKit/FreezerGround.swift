import Glibc
import STPlatform
import STTestSupport

/// A cgroup v2 folder for a test, delegated to a user as by a session's manager. It is removed after the test.
package final class FreezerGround: Sendable {
    package let path: String
    /// The mount point of cgroup v2.
    package let mount: String

    /// Throws if there is no writable cgroup v2.
    package init(uid: UInt32 = 0) throws {
        guard let mount = Self.mountPoint() else { throw NotYet("cgroup v2 is not mounted here") }
        self.mount = mount
        var template = Array("\(mount)/st-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp in \(mount)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(path, 0o755)
        // The files of a delegation, by the kernel's rules. The others stay with their owner.
        for name in ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control", "/cgroup.freeze"] {
            guard chown(path + name, uid, gid_t(bitPattern: -1)) == 0 else {
                let problem = SystemError.last("chown \(path)\(name)")
                rmdir(path)
                throw problem
            }
        }
    }

    /// Returns `nil` if only cgroup v1 is mounted.
    package static func mountPoint() -> String? {
        ScratchDirectory.text("/proc/self/mountinfo").split(separator: "\n").lazy.compactMap { line in
            let halves = line.split(separator: " ")
            guard let dash = halves.firstIndex(of: "-"), dash + 1 < halves.count,
                halves[dash + 1] == "cgroup2",
                halves.count > 4
            else { return nil }
            return String(halves[4])
        }.first
    }

    /// True if tests that need a cgroup v2 folder can run here.
    package static var isAvailable: Bool { mountPoint().map { access($0, W_OK) == 0 } ?? false }

    /// Creates a subfolder with the same owner, for example for one app, and returns its path.
    package func folder(_ name: String) throws -> String {
        let made = "\(path)/\(name)"
        guard mkdir(made, 0o755) == 0 else { throw SystemError.last("mkdir \(made)") }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw SystemError.last("stat") }
        for name in ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control", "/cgroup.freeze"] {
            _ = chown(made + name, facts.st_uid, gid_t(bitPattern: -1))
        }
        return made
    }

    /// Moves a process into a folder, by default the root of this ground.
    package func add(_ pid: Int32, to folder: String? = nil) throws {
        try Self.write("\(pid)", to: "\(folder ?? path)/cgroup.procs")
    }

    /// Returns true if all processes in the folder are frozen, as reported by the kernel.
    package func isFrozen(_ folder: String? = nil) -> Bool {
        ScratchDirectory.text("\(folder ?? path)/cgroup.events").contains("frozen 1")
    }

    /// Kills the processes in one folder and removes it.
    package func end(_ folder: String) throws {
        try Self.write("1", to: "\(folder)/cgroup.kill")
        guard comesTrue(within: .seconds(5), { rmdir(folder) == 0 }) else { throw SystemError.last("rmdir") }
    }

    /// Thaws and kills all processes, and removes the folders. May be called again.
    package func remove() {
        let folders = Self.folders(below: path)
        for folder in folders { try? Self.write("0", to: "\(folder)/cgroup.freeze") }
        try? Self.write("1", to: "\(path)/cgroup.kill")
        _ = comesTrue(within: .seconds(5)) {
            // Deepest first, because the kernel removes no folder that contains another.
            for folder in folders.reversed() { rmdir(folder) }
            return access(path, F_OK) != 0
        }
    }

    deinit { remove() }

    private static func folders(below path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var found = [path]
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard entry.pointee.d_type == UInt8(DT_DIR), name != ".", name != ".." else { continue }
            found += folders(below: "\(path)/\(name)")
        }
        return found
    }

    private static func write(_ text: String, to path: String) throws {
        let number = open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last("open \(path)") }
        let file = OwnedDescriptor(number)
        guard Glibc.write(file.number, text, text.utf8.count) == text.utf8.count else {
            throw SystemError.last("write \(path)")
        }
    }
}
