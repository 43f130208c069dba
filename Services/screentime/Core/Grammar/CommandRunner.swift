import STPlatform

/// One run of the command: parse, do, and tell how it went.
package enum CommandRunner {
    package static func run(
        _ arguments: [String],
        environment: [String: String],
        terminal: Terminal
    ) async -> ExitCode {
        // Known before anything is parsed, because a program wants its errors as JSON too.
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        do {
            return try await perform(arguments, environment, terminal)
        } catch {
            let problem = ProblemText.problem(error)
            ProblemText.show(problem, terminal, asJSON: wantsJSON)
            return ProblemText.exitCode(problem)
        }
    }

    private static func perform(
        _ arguments: [String],
        _ environment: [String: String],
        _ terminal: Terminal
    ) async throws -> ExitCode {
        switch try CommandLineParser.parse(arguments) {
        case .overview: terminal.write(HelpText.overview(terminal))
        case .nounHelp(let noun): terminal.write(HelpText.noun(noun, terminal))
        case .commandHelp(let command): terminal.write(HelpText.command(command, terminal))
        case .run(let command, let subjects, let options):
            let invocation = Invocation(
                subjects: subjects,
                options: options,
                environment: environment,
                directories: try Directories.from(environment: environment),
                terminal: terminal
            )
            return try await command.run(invocation)
        }
        return .done
    }
}
