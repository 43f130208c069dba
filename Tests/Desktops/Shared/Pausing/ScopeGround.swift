import Glibc
import STPlatform
import STTestSupport

/// A cgroup v2 folder with scopes, as a user's systemd makes them. It is removed after the test.
final class ScopeGround: Sendable {
    /// The mount point of the hierarchy. `nil` if this process may not create cgroups in it.
    static let mount: String? = {
        for line in ScratchDirectory.text("/proc/self/mountinfo").split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields[dash + 1] == "cgroup2" else { continue }
            let path = String(fields[4])
            let trial = "\(path)/st-trial-\(getpid())"
            guard mkdir(trial, 0o755) == 0 else { return nil }
            defer { rmdir(trial) }
            return access("\(trial)/cgroup.freeze", W_OK) == 0 ? path : nil
        }
        return nil
    }()

    private let name: String
    private let folder: String

    init() throws {
        guard let mount = Self.mount else { throw Problem("test.no_cgroups", "there are no cgroups here") }
        name = "st-test-\(getpid())-\(IdentifierGenerator().span())"
        folder = "\(mount)/\(name)"
        guard mkdir(folder, 0o755) == 0 else { throw SystemError.last("mkdir") }
    }

    deinit {
        _ = comesTrue {
            for scope in (try? DirectoryTree.names(in: folder)) ?? [] where scope.hasSuffix(".scope") {
                rmdir("\(folder)/\(scope)")
            }
            return rmdir(folder) == 0
        }
    }

    /// Creates the scope. Returns the text to put before a script that runs in it.
    func scope(_ unit: String) throws -> String {
        guard mkdir("\(folder)/\(unit)", 0o755) == 0 || errno == EEXIST else {
            throw SystemError.last("mkdir")
        }
        return "echo $$ >'\(folder)/\(unit)/cgroup.procs' || exit 9; "
    }

    func cgroup(_ unit: String) -> String { "/\(name)/\(unit)" }

    func isFrozen(_ unit: String) -> Bool {
        ScratchDirectory.text("\(folder)/\(unit)/cgroup.events").contains("frozen 1")
    }
}
