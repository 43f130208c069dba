import Glibc
import STCommandCore
import STCommandKit
import STContracts
import STLab
import STPlatform
import STTestSupport
import Testing

@Suite("The command simulate")
struct SimulateCommandTests {
    private static let scenario = """
        {
          "name": "a limit", "zone": "UTC", "start": "2026-05-04 10:00",
          "rules": [{ "limit": ["chess"], "of": "10m", "name": "chess" }],
          "steps": [{ "use": "chess", "for": "20m" }],
          "expect": [{ "callback": "eventDidReachThreshold", "activity": "chess", "at": "2026-05-04 10:10" }]
        }
        """

    private func run(_ text: String?, _ words: String...) async throws -> (ExitCode, CommandOutput) {
        let scratch = try ScratchDirectory()
        var line = ["simulate"] + words
        if let text {
            try scratch.write(text, to: "day.json")
            line.append(scratch.file("day.json"))
        }
        return await CommandOutput.run(line, in: scratch.path, bodies: LabCommands.bodies)
    }

    @Test("The command simulate prints the timeline and exits with 0 if every expectation is met")
    func met() async throws {
        let (code, output) = try await run(Self.scenario, "--in-process")

        #expect(code == .done)
        #expect(output.standard.contains("Mon 2026-05-04 UTC\n"))
        #expect(
            output.standard.contains(
                "  10:10:00.000  me screentime.rules/chess  eventDidReachThreshold(used)"
            )
        )
        #expect(output.standard.hasSuffix("Expected and met: 1 of 1\n"))
        #expect(output.error.hasPrefix("20 min played in "))
    }

    @Test("The command simulate exits with 1 and names the actual time of an unmet expectation")
    func unmet() async throws {
        let text = Self.scenario.replacing("10:10", with: "10:09")
        let (code, output) = try await run(text, "--in-process")

        #expect(code == .no)
        #expect(
            output.standard.contains(
                "NOT MET (line 5): eventDidReachThreshold(chess) at 2026-05-04 10:09:00.000\n"
            )
        )
        #expect(
            output.standard.contains(
                "    there was: 2026-05-04 10:10:00.000 eventDidReachThreshold(used, chess)"
            )
        )
    }

    @Test("With --json, simulate prints one document, identical in each run")
    func json() async throws {
        let (code, output) = try await run(Self.scenario, "--in-process", "--json")
        let (_, again) = try await run(Self.scenario, "--in-process", "--json")

        #expect(code == .done)
        #expect(again.standard == output.standard)
        let value = try JSONOutput.value(Array(output.standard.utf8))
        #expect(value["ok"] == true)
        #expect(value["end"] == "2026-05-04T10:20:00.000Z")
    }

    @Test("An invalid scenario ends simulate with 2, the line and a suggestion")
    func bad() async throws {
        let (code, output) = try await run(Self.scenario.replacing("\"for\"", with: "\"fro\""))

        #expect(code == .usage)
        #expect(output.standard.isEmpty)
        #expect(output.error.hasPrefix("Line 4: There is no field fro here. Did you mean for?"))
    }

    @Test("An unexpected rejection of a rule ends simulate with 1 and the line")
    func refused() async throws {
        let text = Self.scenario.replacing("\"10m\", \"name\"", with: "\"30h\", \"name\"")
        let (code, output) = try await run(text, "--in-process")

        #expect(code == .no)
        #expect(output.error.hasPrefix("Line 3: "))
    }

    @Test("The example of simulate is playable, and --schema prints a schema")
    func help() async throws {
        let (_, example) = try await run(nil, "--example")
        let (code, _) = try await run(example.standard, "--in-process")
        let (_, schema) = try await run(nil, "--schema")

        #expect(code == .done)
        #expect(
            try JSONOutput.value(Array(schema.standard.utf8))["title"] == "A scenario for screentime simulate"
        )
    }

    @Test("Without a file, simulate suggests --example, and with a missing file it reports the file")
    func nothing() async throws {
        let (code, output) = try await run(nil)
        let (other, missing) = try await CommandOutput.run(
            ["simulate", "/nowhere/day.json"],
            in: ScratchDirectory().path,
            bodies: LabCommands.bodies
        )

        #expect(code == .usage)
        #expect(output.error.contains("screentime simulate --example > day.json"))
        #expect(other == .no)
        #expect(missing.error.contains("it does not exist"))
    }

    @Test("The screentime-lab program implements every command that the grammar assigns to it")
    func table() {
        let words = Grammar.commands.filter { $0.program == LabGrammar.program }.map(\.words)

        #expect(Set(words) == Set(LabCommands.bodies.keys))
    }

    @Test("The screentime command starts screentime-lab and forwards its output, errors and exit code")
    func otherProgram() async throws {
        let scratch = try ScratchDirectory()
        let (code, schema) = await CommandOutput.run(["simulate", "--schema"], in: scratch.path)
        let (other, missing) = await CommandOutput.run(["simulate", "/nowhere/day.json"], in: scratch.path)

        #expect(code == .done)
        #expect(
            try JSONOutput.value(Array(schema.standard.utf8))["title"] == "A scenario for screentime simulate"
        )
        #expect(other == .no)
        #expect(missing.error.contains("it does not exist"))
        var terminal = Terminal(isTerminal: false, isColoured: false, columns: 100)
        terminal.sink = { _, _ in }
        let places = Dictionary(
            uniqueKeysWithValues: ["RUN", "STATE", "CONFIG"].map { ("SCREENTIME_\($0)", scratch.path) }
        )
        // The page reads the problem's code.
        await #expect {
            try await CommandRunner.attempt(
                CommandRequest("simulate", subjects: ["/nowhere/day.json"]),
                environment: places,
                terminal: terminal,
                language: .english
            ) { _, _, _ in }
        } throws: { error in
            (error as? Problem)?.code.hasPrefix("command.") == false
                && "\(error)".contains("it does not exist")
        }
    }

    @Test(
        "A program that cannot find another program reports how to install or build it",
        arguments: [
            ("screentime", "program.missing", "apt install ./screentime-developer"),
            ("screentime-lab", "simulation.no_programs", "scripts/run-all.sh"),
        ]
    )
    func missing(program: String, code: String, help: String) throws {
        let scratch = try ScratchDirectory()
        try scratch.write(Self.scenario, to: "day.json")
        // A copy in an empty folder. Every other program is searched beside the command.
        let command = scratch.file(program)
        // Another process copies the file. Otherwise, a child of a parallel test could inherit the open file, and the program could
        // not be started.
        let copying = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/cp",
                arguments: [try BuiltTree.program(program), command],
                environment: [:]
            )
        )
        #expect(copying.wait(deadlineMs: 60_000) == .exited(0))
        let output = OwnedDescriptor(open(scratch.file("output"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        let environment = ["HOME": scratch.path, "SCREENTIME_RUN": scratch.path]
        let libraries = ProcessEnvironment.current().filter { $0.key == "LD_LIBRARY_PATH" }
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: command,
                arguments: ["simulate", scratch.file("day.json"), "--json"],
                environment: environment.merging(libraries) { $1 },
                standardOutput: output.number,
                standardError: output.number
            )
        )

        #expect(process.wait(deadlineMs: 60_000) == .exited(1))
        let text = ScratchDirectory.text(scratch.file("output"))
        #expect(text.contains(code) && text.contains(help), "\(text)")
        withExtendedLifetime(output) {}
    }
}
