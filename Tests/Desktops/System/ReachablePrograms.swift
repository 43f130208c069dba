import Glibc
import STPlatform
import STTestKit
import STTestSupport

/// This project's programs in a place where any account can start them: the build folder, or a copy if that is not readable.
struct ReachablePrograms {
    /// The programs that expect each other in the same folder.
    private static let all = [
        "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service", "notifier",
        "desktop-agent", "browser-host", "screentime", "screentime-draw", "screentime-wayland-window",
        "screentime-x11-window",
    ]

    private let folder: String

    init(_ scratch: ScratchDirectory) throws {
        let built = try Self.all.map { try BuiltTree.program($0) }
        guard geteuid() == 0, !built.allSatisfy(Self.isOpen) else {
            folder = String(built[0].dropLast(Self.all[0].count + 1))
            return
        }
        folder = scratch.file("programs")
        guard mkdir(folder, 0o755) == 0 else { throw SystemError.last("mkdir") }
        let plan = SpawnPlan(executable: "/bin/cp", arguments: ["--reflink=auto", "--"] + built + [folder])
        guard try SpawnedProcess(plan).wait(deadlineMs: 60_000) == .exited(0) else {
            throw NotYet("not copied")
        }
        for name in Self.all { chmod("\(folder)/\(name)", 0o755) }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Returns true if everyone can enter the path and read it.
    private static func isOpen(_ path: String) -> Bool {
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            var facts = stat()
            guard stat(String(rest), &facts) == 0, facts.st_mode & 0o005 == 0o005 else { return false }
            rest = rest[..<slash]
        }
        return true
    }
}
