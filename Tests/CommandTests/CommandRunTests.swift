import STCommandCore
import STContracts
import STPlatform
import Synchronization
import Testing

@Suite("Running a command")
struct CommandRunTests {
    private final class Output: Sendable {
        private let texts = Mutex<[(text: String, descriptor: Int32)]>([])

        func add(_ text: String, _ descriptor: Int32) { texts.withLock { $0.append((text, descriptor)) } }

        func text(_ descriptor: Int32) -> String {
            texts.withLock { $0.filter { $0.descriptor == descriptor }.map(\.text).joined() }
        }
    }

    @Test(
        "with nothing running the answer is code 3 and the line that starts it",
        arguments: [[], ["status"], ["report"], ["member", "list"]]
    )
    func notRunning(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .notRunning)
        #expect(output.text(1).isEmpty)
        #expect(output.text(2).contains("try: screentime system up"))
    }

    @Test("status --json is JSON when nothing runs, too")
    func statusJSON() async throws {
        let (code, output) = await run(["status", "--json"])

        #expect(code == .notRunning)
        #expect(try JSONOutput.value(Array(output.text(1).utf8))["running"] == false)
    }

    @Test("with --json a problem is JSON on standard output")
    func problemJSON() async throws {
        let (code, output) = await run(["--json", "statsu"])

        #expect(code == .usage)
        #expect(try JSONOutput.value(Array(output.text(1).utf8))["code"] == "usage.unknown_word")
        #expect(output.text(2).isEmpty)
    }

    @Test(
        "what is written wrongly is refused before anything is asked",
        arguments: [
            ["bus", "call", "usage.list", "[1]"], ["bus", "call", "usage.lst"],
            ["bus", "call", "health.ping"],
            ["bus", "call", "usage.list", "{}", "--to", "nobody"], ["trace", "--for", "soon"],
            ["trace", "--count", "0"],
            ["bus", "listen", "Ünder"], ["bus", "listen", "--service", "notifier"],
            ["report", "--day", "2026-02-30"],
            ["report", "--by", "fish"], ["help", "--completion", "tcsh"],
            ["bus", "call", "usage.list", "--timeout", "2h"],
        ]
    )
    func refused(line: [String]) async {
        let (code, output) = await run(line)

        #expect(code == .usage)
        #expect(output.text(2).contains("try: "))
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
        #expect(!output.text(1).isEmpty)
    }

    private func run(_ line: [String]) async -> (ExitCode, Output) {
        let output = Output()
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.sink = { output.add($0, $1) }
        let nowhere = "/tmp/screentime-nothing-runs-here"
        let code = await CommandRunner.run(
            line,
            environment: [
                "SCREENTIME_RUN": nowhere, "SCREENTIME_STATE": nowhere, "SCREENTIME_CONFIG": nowhere,
            ],
            terminal: terminal
        )
        return (code, output)
    }
}
