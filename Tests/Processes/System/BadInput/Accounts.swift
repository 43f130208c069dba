import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// Another account than that of the tests, which needs no entry in any list of users.
enum Accounts {
    static let other: uid_t = 65_534

    static var asOther: [String] {
        ["/usr/bin/setpriv", "--reuid=\(other)", "--regid=\(other)", "--clear-groups", "--no-new-privs"]
    }

    /// A copy that the other account can reach, wherever the build is.
    static func program(_ service: ServiceName, in scratch: ScratchDirectory) throws -> String {
        let copy = scratch.file("program")
        let plan = SpawnPlan(
            executable: "/bin/cp",
            arguments: ["--", try ServicePrograms.path(service), copy]
        )
        guard try SpawnedProcess(plan).wait(deadlineMs: 20_000) == .exited(0) else {
            throw NotYet("not copied")
        }
        chmod(copy, 0o755)
        return copy
    }

    /// Directories that belong to the other account, in a scratch directory that it may pass through.
    static func directories(in scratch: ScratchDirectory) -> Directories {
        chmod(scratch.path, 0o711)
        let directories = scratch.directories
        for path in [directories.run, directories.state] {
            mkdir(path, 0o700)
            chown(path, other, other)
        }
        return directories
    }
}
