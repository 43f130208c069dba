import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import Testing

@Suite("Running a command")
struct CommandRunTests {
    @Test(
        "Without running services, a command exits with code 3 and prints the command that starts them",
        arguments: [[], ["status"], ["report"], ["member", "list"]]
    )
    func notRunning(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .notRunning)
        #expect(output.standard.isEmpty)
        #expect(output.error.contains("try: screentime system up"))
    }

    @Test("`status --json` prints JSON if no service is running")
    func statusJSON() async throws {
        let (code, output) = await run(["status", "--json"])

        #expect(code == .notRunning)
        #expect(try JSONOutput.value(Array(output.standard.utf8))["running"] == false)
    }

    @Test("With --json, a usage problem is printed as JSON on standard output")
    func problemJSON() async throws {
        let (code, output) = await run(["--json", "statsu"])

        #expect(code == .usage)
        #expect(try JSONOutput.value(Array(output.standard.utf8))["code"] == "usage.unknown_word")
        #expect(output.error.isEmpty)
    }

    @Test(
        "An invalid argument is rejected as a usage problem even if no service is running",
        arguments: [
            ["bus", "call", "usage.list", "[1]"], ["bus", "call", "usage.lst"],
            ["bus", "call", "health.ping"],
            ["bus", "call", "usage.list", "{}", "--to", "no-service"], ["trace", "--for", "soon"],
            ["trace", "--count", "0"],
            ["bus", "listen", "Ünder"], ["bus", "listen", "--service", "no-service"],
            ["report", "--day", "2026-02-30"],
            ["report", "--by", "fish"], ["help", "--completion", "tcsh"],
            ["bus", "call", "usage.list", "--timeout", "2h"],
            ["bus", "call", "auth.answer", "{\"request\":\"x\",\"allow\":true,\"passcode\":\"1234\"}"],
            ["bus", "call", "member.passcode", "{\"member\":\"kid\",\"proof\":\"1234\"}"],
        ]
    )
    func refused(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .usage)
        #expect(output.error.contains("try: "))
    }

    @Test(
        "Help, descriptions and the version are printed without a running service",
        arguments: [
            ["--help"], ["help", "trace"], ["bus", "describe"], ["bus", "describe", "notifier"],
            ["--version"],
        ]
    )
    func offline(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .done)
        #expect(!output.standard.isEmpty)
    }

    private func run(_ line: [String]) async -> (ExitCode, CommandOutput) {
        await CommandOutput.run(line, in: "/tmp/screentime-nothing-runs-here")
    }
}
