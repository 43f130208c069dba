import Glibc
import STCommandCore
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("The commands `system up` and `system down`")
struct UpTests {
    @Test("All seven services become ready, are listed in supervisor.json, and stop on down")
    func upAndDown() throws {
        let system = try CommandSystem()
        let up = try system.up()
        let file = try #require(system.file)
        let pids = system.pids

        #expect(file.services.map(\.name) == ServiceName.all.map(\.rawValue))
        #expect(file.services.allSatisfy { $0.state == "ready" })
        #expect(file.pid == up.process.pid && !file.isDemo)
        #expect(Set(system.owners) == Set(ServiceName.all.map(\.rawValue)))
        #expect(up.output.contains("Screen Time is ready: 7 services in "))
        #expect(up.output.contains("  try    screentime status"))

        let down = try system.run("system", "down")
        #expect(down.status == .exited(0), "\(down.output)")
        #expect(down.output.contains(": desktop-agent, notifier, "))
        #expect(up.wait() == .exited(0), "\(up.output)")
        #expect(up.output.contains("Services stopped in "))
        #expect(pids.count == 7 && CommandSystem.areGone(pids))
        #expect(system.owners.isEmpty)
        #expect(system.file == nil)
    }

    @Test("A service's log record is shown as text after the name of the service")
    func mergedLog() throws {
        let system = try CommandSystem()
        let up = try system.up("--only", "auth-service,notifier")
        let pid = try #require(system.pid("notifier"))

        let isThere = comesTrue {
            up.output.split(separator: "\n").contains {
                $0.hasPrefix("notifier     | ") && $0.hasSuffix(" info  ready pid=\(pid)")
            }
        }
        #expect(isThere, "\(up.output)")
        #expect(!up.output.contains("{\"time\""))
    }

    @Test("Ctrl-C and a closed terminal stop all services", arguments: [SIGINT, SIGHUP])
    func interrupted(number: Int32) throws {
        let system = try CommandSystem()
        let up = try system.up()
        let pids = system.pids

        up.process.signal(number)

        #expect(up.wait() == .exited(0), "\(up.output)")
        #expect(pids.count == 7 && CommandSystem.areGone(pids))
        #expect(system.owners.isEmpty)
    }

    @Test("With --only, only the named services run, and a misspelt name gets a suggestion")
    func only() throws {
        let system = try CommandSystem()
        let up = try system.up("--only", "report-service,auth-service")

        #expect(system.file?.services.map(\.name) == ["auth-service", "report-service"])
        #expect(system.owners == ["auth-service", "report-service"])
        #expect(up.output.contains("2 services in "))

        let wrong = try system.run("system", "up", "--only", "auth-servce")
        #expect(wrong.status == .exited(2))
        #expect(wrong.output.contains("Did you mean auth-service?"))
    }

    @Test("A killed service is restarted, and the restart is counted")
    func restart() throws {
        let system = try CommandSystem()
        let up = try system.up()
        let before = try #require(system.pid("shield-service"))

        #expect(kill(before, SIGKILL) == 0)

        let isBack = comesTrue {
            let service = system.file?.service("shield-service")
            return service?.state == "ready" && service?.restarts == 1 && service?.pid != Int64(before)
        }
        #expect(isBack, "\(up.output)")
        #expect(comesTrue { up.output.contains("shield-service is backing_off: ended by SIGKILL") })
        #expect(system.file?.services.filter { $0.restarts != 0 }.map(\.name) == ["shield-service"])
        up.process.signal(SIGTERM)
        #expect(up.wait() == .exited(0))
    }

    @Test("A second system in the same directories is refused, and the message names the running process")
    func second() throws {
        let system = try CommandSystem()
        let first = try system.up("--only", "notifier")

        for arguments in [["system", "up"], ["system", "up", "--detach"]] {
            let second = try RunningCommand(
                BuiltTree.programs + "/screentime",
                arguments,
                environment: system.environment,
                outputPath: system.scratch.file("second")
            )
            #expect(second.wait() == .exited(1))
            #expect(second.output.contains("is already running here as process \(first.process.pid)"))
            #expect(second.output.contains("try: screentime system down"))
        }
        #expect(system.file?.service("notifier")?.state == "ready")
    }

    @Test("Two systems run side by side, and stopping one leaves the other running")
    func sideBySide() throws {
        let one = try CommandSystem()
        let other = try CommandSystem()
        let first = try one.up()
        let second = try other.up()

        #expect(Set(one.pids).isDisjoint(with: other.pids))
        #expect(try one.run("system", "down").status == .exited(0))
        #expect(first.wait() == .exited(0))
        let services = try #require(other.file).services
        #expect(services.count == 7 && services.allSatisfy { $0.state == "ready" })
        #expect(other.owners.count == 7)
        #expect(second.process.reap() == nil)
    }

    @Test("When the supervisor is killed its services end, and the next start succeeds")
    func supervisorKilled() throws {
        let system = try CommandSystem()
        let first = try system.up()
        let pids = system.pids

        first.process.signal(SIGKILL)
        #expect(first.wait() == .signaled(SIGKILL))
        let again = try system.up()

        #expect(pids.count == 7 && CommandSystem.areGone(pids))
        again.process.signal(SIGTERM)
        #expect(again.wait() == .exited(0), "\(again.output)")
    }

    @Test("The command down without a running system exits with code 3")
    func nothingToStop() throws {
        let down = try CommandSystem().run("system", "down")

        #expect(down.status == .exited(3))
        #expect(down.output.contains("Screen Time is not running"))
    }

    @Test("The command down does not stop a process that reuses the process ID of a dead supervisor")
    func recycledNumber() throws {
        let system = try CommandSystem()
        let bystander = try SpawnedProcess(SpawnPlan(executable: "/bin/sleep", arguments: ["60"]))
        // Reap it as well: the wait thread of Swift Testing's exit tests stops at a child that is not reaped.
        defer {
            bystander.signal(SIGKILL)
            _ = bystander.wait(deadlineMs: 5000)
        }
        try Directories.prepare(system.directories.run)
        try system.scratch.write("\(bystander.pid)\n", to: "run/supervisor.lock")
        try system.scratch.write(
            "{\"pid\": \(bystander.pid), \"started_at\": \"2026-11-20T17:00:00.000Z\", \"demo\": false, \"services\": []}",
            to: "run/supervisor.json"
        )

        #expect(try system.run("system", "down").status == .exited(3))
        #expect(bystander.wait(deadlineMs: 200) == nil)
    }
}
