import Glibc
import STPlatform
import STTestSupport

/// A folder of cgroup v2 for a test, handed to a user as a session's manager has it; gone when the test is over.
package final class FreezerGround: Sendable {
    package let path: String
    /// Where the second version of cgroups is mounted.
    package let mount: String

    /// Throws where there is no cgroup v2 that we may write to.
    package init(uid: UInt32 = 0) throws {
        guard let mount = Self.mountPoint() else { throw NotYet("cgroup v2 is not mounted here") }
        self.mount = mount
        var template = Array("\(mount)/st-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp in \(mount)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(path, 0o755)
        // What a delegation hands over, by the kernel's rules; the rest stays its owner's.
        for name in ["", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control", "/cgroup.freeze"] {
            guard chown(path + name, uid, gid_t(bitPattern: -1)) == 0 else {
                let problem = SystemError.last("chown \(path)\(name)")
                rmdir(path)
                throw problem
            }
        }
    }

    /// Nil where only the first version is mounted.
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

    /// Whether tests that need one can run here.
    package static var isAvailable: Bool { mountPoint().map { access($0, W_OK) == 0 } ?? false }

    /// A folder in it, such as that of one app, of the same owner; its path.
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

    /// Moves a process into a folder, by default the ground itself.
    package func add(_ pid: Int32, to folder: String? = nil) throws {
        try Self.write("\(pid)", to: "\(folder ?? path)/cgroup.procs")
    }

    /// As the kernel says it: whether all in the folder stand still.
    package func isFrozen(_ folder: String? = nil) -> Bool {
        ScratchDirectory.text("\(folder ?? path)/cgroup.events").contains("frozen 1")
    }

    /// Ends all in one folder and takes it away.
    package func end(_ folder: String) throws {
        try Self.write("1", to: "\(folder)/cgroup.kill")
        guard comesTrue(within: .seconds(5), { rmdir(folder) == 0 }) else { throw SystemError.last("rmdir") }
    }

    /// Lets go of all in it, ends them and takes the folders away; may be called again.
    package func remove() {
        let folders = Self.folders(below: path)
        for folder in folders { try? Self.write("0", to: "\(folder)/cgroup.freeze") }
        try? Self.write("1", to: "\(path)/cgroup.kill")
        _ = comesTrue(within: .seconds(5)) {
            // Deepest first: the kernel takes none that holds another.
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
