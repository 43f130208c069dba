import STContracts
import STPlatform

/// `screentime console`: runs the console program, which prints the page's address and starts its server if none runs.
enum ConsoleCommand {
    /// Upper bound on the run. It is a little longer than the console program waits for its server.
    private static let timeout: Duration = .seconds(12)

    static let command = Command(
        ["console"],
        "Opens Screen Time in your browser: today, rules, requests and reports, as they change",
        options: [
            .init(
                "--at",
                value: "PART",
                summary: "opens this part of the page first, such as requests",
                key: "help.--at.begins-at-this-part-of"
            ),
            .init("--print", value: nil, summary: "prints an address instead, which opens the page once"),
        ],
        example: "screentime console"
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        let places = try SystemPlaces(invocation)
        try SourceTree.build(["console"], in: places.binaries, invocation.terminal)
        let program = places.executable(of: ServiceName("console"))
        guard FileTree.exists(program) else {
            throw Problem(
                "console.missing",
                """
                Screen Time cannot open its page because \(program, "program") is missing. Install Screen \
                Time again.
                """,
                help: "screentime report --open"
            )
        }
        let made = try ProgramRun.run(
            program,
            invocation.value("--at").map { ["--at", $0] } ?? [],
            environment: invocation.environment,
            timeout: timeout
        )
        let said = made.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        guard made.status.isSuccess else {
            throw Problem(
                "console.not_started",
                "The page did not start: \(said, "said")",
                help: "screentime report --open"
            )
        }
        if invocation.has("--print") {
            invocation.terminal.write(said)
        } else {
            let environment = invocation.environment
            try ProgramRun.openInBrowser(said, environment: environment, help: "screentime console --print")
            invocation.terminal.note(
                Speech.say("console.screen-time-is-in", "Screen Time is open in your browser.")
            )
        }
        return .done
    }
}
