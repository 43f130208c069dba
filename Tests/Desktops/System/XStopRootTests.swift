import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite(
    "Frozen cgroup of the agent on a real X display",
    .enabled(if: RootAccount.isHere, "needs root: makes a cgroup")
)
struct XStopRootTests {
    private static func put(_ text: String, into path: String) throws {
        let file = OwnedDescriptor(open(path, O_WRONLY | O_CLOEXEC))
        try #require(OwnedDescriptor.write(Array(text.utf8), to: file.number))
    }

    @Test("Time in which the agent's cgroup is frozen counts for no app")
    func freezes() async throws {
        let folder = try #require(CgroupTree()?.folder("/st-stop-\(getpid())"))
        try #require(mkdir(folder, 0o755) == 0)
        defer { rmdir(folder) }
        try await KillHouse.run { house in
            // The next agent starts in the cgroup of its supervisor.
            let supervisor = try #require(house.supervisor).pid
            try Self.put("\(supervisor)", into: "\(folder)/cgroup.procs")
            let old = try await house.kill(.desktop)
            try await house.isBack(.desktop, after: old)
            try await house.sees()
            try house.scratch.write("", to: "note.txt")
            _ = try await house.editor(house.scratch.file("note.txt"))
            try house.touch()
            try await Task.sleep(for: .milliseconds(500))
            try Self.put("1", into: "\(folder)/cgroup.freeze")
            try await Task.sleep(for: .milliseconds(1_500))
            try Self.put("0", into: "\(folder)/cgroup.freeze")
            let rows = try await eventually("the frozen time is over") {
                let rows = try await house.ask(UsageList.self, .init()).rows
                guard
                    rows.contains(where: {
                        $0.presence == .unobserved && $0.endBootMs - $0.startBootMs > 1_000
                    })
                else { throw NotYet("\(rows)") }
                return rows
            }
            #expect(rows.contains { $0.app != nil })
        }
    }
}
