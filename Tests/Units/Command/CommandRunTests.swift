import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import Testing

@Suite("Running a command")
struct CommandRunTests {
    @Test(
        "with nothing running the answer is code 3 and the line that starts it",
        arguments: [[], ["status"], ["report"], ["member", "list"]]
    )
    func notRunning(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .notRunning)
        #expect(output.standard.isEmpty)
        #expect(output.error.contains("try: screentime system up"))
    }

    @Test("status --json is JSON when nothing runs, too")
    func statusJSON() async throws {
        let (code, output) = await run(["status", "--json"])

        #expect(code == .notRunning)
        #expect(try JSONOutput.value(Array(output.standard.utf8))["running"] == false)
    }

    @Test("with --json a problem is JSON on standard output")
    func problemJSON() async throws {
        let (code, output) = await run(["--json", "statsu"])

        #expect(code == .usage)
        #expect(try JSONOutput.value(Array(output.standard.utf8))["code"] == "usage.unknown_word")
        #expect(output.error.isEmpty)
    }

    @Test(
        "a mistyped bus command is refused before any service is asked",
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
        "help and descriptions need no service",
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
