import Glibc
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("Failing starts and stops")
struct StartFailureTests {
    @Test(
        "A damaged database quarantines its service, is reported at the start, and stays unchanged"
    )
    func corruptDatabase() throws {
        let system = try CommandSystem()
        try Directories.prepare(system.directories.state + "/activity-center")
        let text = String(repeating: "this is no database ", count: 500)
        try system.scratch.write(text, to: "state/activity-center/activity-center.sqlite")

        let up = try system.run("system", "up", "--detach")

        #expect(up.status == .exited(0))
        #expect(up.output.contains("activity-center: "), "\(up.output)")
        #expect(up.output.contains("activity-center.sqlite is damaged"), "\(up.output)")
        #expect(try system.run("status").output.contains("quarantined"))
        #expect(try system.run("system", "down").status == .exited(0))
        #expect(ScratchDirectory.text(system.directories.database(service: "activity-center")) == text)
    }

    @Test("A database that cannot be opened ends the start with the reason")
    func noDatabase() throws {
        let system = try CommandSystem()
        // A folder in place of the database.
        try Directories.prepare(system.directories.state + "/activity-center/activity-center.sqlite")

        let startMs = Stopwatch.milliseconds()
        let up = try system.run("system", "up")

        #expect(up.status == .exited(1))
        // The command does not wait for the whole deadline when the start cannot succeed.
        #expect(Stopwatch.milliseconds() - startMs < 15_000)
        #expect(up.output.contains("Not started. activity-center did not start: exited with status 74"))
        #expect(up.output.contains("activity-center.sqlite"))
        #expect(system.owners.isEmpty)
    }

    @Test("A setting that does not exist ends the start with a suggestion")
    func badConfiguration() throws {
        let system = try CommandSystem()
        try system.scratch.write("log_levl = info\n", to: "config")

        let up = try system.run("system", "up", "--only", "notifier")

        #expect(up.status == .exited(1))
        #expect(up.output.contains("Did you mean log_level?"), "\(up.output)")
    }

    @Test("A service that crashes repeatedly ends the start, which shows its last lines")
    func crashes() throws {
        let stand = try StandIns(["notifier": "echo something broke >&2; exit 1"])
        let system = try CommandSystem(binary: stand.screentime)

        let startMs = Stopwatch.milliseconds()
        let up = try system.run("system", "up", "--only", "notifier")

        #expect(up.status == .exited(1))
        #expect(Stopwatch.milliseconds() - startMs < 15_000)
        #expect(up.output.contains("notifier did not start: exited with status 1"))
        #expect(up.output.contains("    something broke"))
    }

    @Test("A missing executable ends the start and is named")
    func missing() throws {
        let stand = try StandIns([:])
        let system = try CommandSystem(binary: stand.screentime)

        let up = try system.run("system", "up", "--only", "notifier")

        #expect(up.status == .exited(1))
        #expect(up.output.contains("\(stand.folder)/notifier cannot be started"), "\(up.output)")
    }

    @Test("A service that has to be killed makes the stop fail and is named")
    func mustBeKilled() throws {
        let stand = try StandIns([
            "notifier": "trap '' TERM; systemd-notify --ready; while :; do sleep 60 & wait $!; done",
            "report-service": StandIns.wellBehaved,
        ])
        let system = try CommandSystem(binary: stand.screentime)
        let up = try system.up("--only", "notifier,report-service")
        let pids = system.pids

        up.process.signal(SIGTERM)

        #expect(up.wait() == .exited(1))
        #expect(up.output.contains("notifier did not stop cleanly: ended by SIGKILL"), "\(up.output)")
        #expect(!up.output.contains("report-service did not stop"))
        #expect(pids.count == 2 && CommandSystem.areGone(pids))
    }

    @Test("A second Ctrl-C stops all services immediately")
    func impatient() throws {
        let stand = try StandIns([
            "notifier": "trap '' TERM; systemd-notify --ready; while :; do sleep 60 & wait $!; done"
        ])
        let system = try CommandSystem(binary: stand.screentime)
        let up = try system.up("--only", "notifier")

        up.process.signal(SIGINT)
        #expect(comesTrue { up.output.contains("Stopping.") })
        let startMs = Stopwatch.milliseconds()
        up.process.signal(SIGINT)

        #expect(up.wait() == .exited(1))
        // The supervisor gives ten seconds to a service that was asked to stop once.
        #expect(Stopwatch.milliseconds() - startMs < 8_000)
    }
}
