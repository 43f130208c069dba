import Glibc
import STDesktopKit
import STPlatform
import Testing

@Suite("Cgroup freezer for tests", .enabled(if: FreezerGround.isAvailable, "needs root: makes a cgroup"))
struct FreezerGroundRootTests {
    @Test("A user freezes a delegated cgroup, and removing the cgroup kills its processes")
    func freezes() throws {
        let ground = try FreezerGround(uid: 65_534)
        let sleeper = try SpawnedProcess(SpawnPlan(executable: "/bin/sleep", arguments: ["600"]))
        let folder = try ground.folder("app-one.scope")
        try ground.add(sleeper.pid, to: folder)
        let freezer = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/setpriv",
                arguments: [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c",
                    "echo 1 > \(folder)/cgroup.freeze",
                ],
                environment: ["PATH": "/usr/bin:/bin"]
            )
        )
        #expect(freezer.wait(deadlineMs: 20_000) == .exited(0))
        #expect(comesFrozen(ground, folder))

        ground.remove()

        #expect(access(ground.path, F_OK) != 0)
        #expect(sleeper.wait(deadlineMs: 20_000) == .signaled(SIGKILL))
    }

    private func comesFrozen(_ ground: FreezerGround, _ folder: String) -> Bool {
        let deadline = Stopwatch.milliseconds() + 20_000
        while Stopwatch.milliseconds() < deadline {
            if ground.isFrozen(folder) { return true }
            _ = poll(nil, 0, 5)
        }
        return false
    }
}
