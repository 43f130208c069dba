import Glibc
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("A start or a stop that goes wrong")
struct StartFailureTests {
    @Test(
        "a corrupt database keeps its service in quarantine; the start says so, and the file is left as it was"
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

    @Test("a database that cannot be opened ends the start with the reason")
    func noDatabase() throws {
        let system = try CommandSystem()
        // A folder in its place.
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

    @Test("a setting that does not exist ends the start with the reason")
    func badConfiguration() throws {
        let system = try CommandSystem()
        try system.scratch.write("log_levl = info\n", to: "config")

        let up = try system.run("system", "up", "--only", "notifier")

        #expect(up.status == .exited(1))
        #expect(up.output.contains("Did you mean log_level?"), "\(up.output)")
    }

    @Test("a service that crashes again and again is given up, with its last words")
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

    @Test("a missing executable is named")
    func missing() throws {
        let stand = try StandIns([:])
        let system = try CommandSystem(binary: stand.screentime)

        let up = try system.run("system", "up", "--only", "notifier")

        #expect(up.status == .exited(1))
        #expect(up.output.contains("\(stand.folder)/notifier cannot be started"), "\(up.output)")
    }

    @Test("a service that had to be killed makes the stop fail, by name")
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

    @Test("a second ctrl-C ends everything at once")
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
        // Ten seconds is what the supervisor gives to a service that was asked once.
        #expect(Stopwatch.milliseconds() - startMs < 8_000)
    }
}
