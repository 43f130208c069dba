import Glibc
package import STPlatform

/// A directory under /tmp that is gone when the test is over.
///
/// Short, because socket paths are.
package final class ScratchDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/st-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove() }

    /// May be called again; what is still in use by a process goes with the process.
    package func remove() {
        let plan = SpawnPlan(executable: "/bin/rm", arguments: ["-rf", "--one-file-system", "--", path])
        _ = try? SpawnedProcess(plan).wait(deadlineMs: 10_000)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Where a system in this directory has its things.
    package var directories: Directories {
        Directories(run: file("run"), state: file("state"), config: file("config"))
    }
}
