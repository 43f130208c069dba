import Glibc
import STCommandCore
import STPlatform
import Testing

@Suite("system up --detach")
struct DetachTests {
    @Test("returns once all are ready, in a session of its own, and down ends it")
    func detach() throws {
        let system = try TestSystem()

        let start = try system.run("system", "up", "--detach")

        #expect(start.status == .exited(0), "\(start.output)")
        #expect(start.output.contains("Screen Time is ready: 7 services in "))
        #expect(start.output.contains("  stop   screentime system down"))
        let file = try #require(system.file)
        #expect(file.services.allSatisfy { $0.state == "ready" })
        #expect(getsid(file.pid) == file.pid)
        #expect(Scratch.text(system.directories.log(service: "system")).contains("auth-service is ready"))

        let pids = system.pids
        #expect(try system.run("system", "down").status == .exited(0))
        #expect(try pids.count == 7 && TestSystem.areGone(pids + [file.pid]))
        #expect(system.owners.isEmpty)
        #expect(try system.run("system", "down").status == .exited(3))
    }

    @Test("a start that fails is told with the service's last lines, and leaves nothing behind")
    func failure() throws {
        let system = try TestSystem()
        try Directories.prepare(system.directories.state + "/report-service")
        try system.scratch.write(
            String(repeating: "this is no database ", count: 500),
            to: "state/report-service/report-service.sqlite"
        )

        let start = try system.run("system", "up", "--detach")

        #expect(start.status == .exited(1))
        #expect(start.output.contains("report-service did not start: exited with status 74"))
        #expect(start.output.contains("cannot_start") || start.output.contains("failed"))
        #expect(start.output.contains("report-service.log"))
        #expect(try eventually { system.owners.isEmpty && InstanceLock.holder(path: system.lockPath) == nil })
    }
}
