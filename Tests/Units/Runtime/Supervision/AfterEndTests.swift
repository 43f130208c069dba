import Glibc
import STPlatform
import STSupervision
import STTestSupport
import Testing

@Suite("Clean-up programs of services")
struct AfterEndTests {
    private static func spec(_ script: String, after: String, timeout: Duration = .seconds(20)) -> ServiceSpec
    {
        var spec = Fixture.shell("worker", script)
        spec.afterEnd = AfterEnd(executable: "/bin/sh", arguments: ["-c", after], timeout: timeout)
        return spec
    }

    @Test("The clean-up program runs after each end, before the next start and before the stop is reported")
    func order() throws {
        let scratch = try ScratchDirectory()
        let list = scratch.file("list")
        let fixture = try Fixture(
            scratch,
            [
                Self.spec(
                    "trap 'echo down >>\(list); exit 0' TERM; echo up >>\(list); systemd-notify --ready; "
                        + "while :; do sleep 60 & wait $!; done",
                    after: "sleep 0.1; echo tidied $SCREENTIME_STATE; echo tidied >>\(list)"
                )
            ]
        )
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)

        try fixture.supervisor.kill("worker")
        #expect(try fixture.waitUntil("worker") { $0.restarts == 1 && $0.state.isReady })
        try fixture.supervisor.stop()

        #expect(
            ScratchDirectory.text(list).split(separator: "\n") == ["up", "tidied", "up", "down", "tidied"]
        )
        #expect(fixture.lines(of: "worker").count { $0 == "tidied \(fixture.directories.state)" } == 2)
    }

    @Test("A clean-up program that fails, hangs or does not exist is logged and delays no restart")
    func failing() throws {
        for (after, timeout) in [("exit 3", Duration.seconds(20)), ("sleep 600", .milliseconds(100))] {
            let scratch = try ScratchDirectory()
            let script = "systemd-notify --ready; sleep 600"
            let fixture = try Fixture(scratch, [Self.spec(script, after: after, timeout: timeout)])
            try fixture.supervisor.start()
            try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
            try fixture.supervisor.kill("worker")
            #expect(try fixture.waitUntil("worker") { $0.restarts == 1 && $0.state.isReady })
            #expect(fixture.lines(of: "supervisor").contains { $0.contains("its clean-up program /bin/sh") })
            try fixture.supervisor.stop()
        }
        let scratch = try ScratchDirectory()
        var spec = Fixture.shell("worker", "systemd-notify --ready; sleep 600")
        spec.afterEnd = AfterEnd(executable: "/nonexistent")
        let fixture = try Fixture(scratch, [spec])
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        try fixture.supervisor.kill("worker")
        #expect(try fixture.waitUntil("worker") { $0.restarts == 1 && $0.state.isReady })
        #expect(
            fixture.lines(of: "supervisor").contains {
                $0.contains("its clean-up program could not be started")
            }
        )
        try fixture.supervisor.stop()
    }
}
