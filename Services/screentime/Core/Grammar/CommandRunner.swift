import STContracts
package import STPlatform

/// Runs one command line: parses the arguments, runs the command and reports problems.
package enum CommandRunner {
    package typealias Body = @Sendable (Invocation) async throws -> ExitCode

    /// `bodies` maps the words of a command to its implementation, for the commands of other modules.
    package static func run(
        _ arguments: [String],
        environment: [String: String],
        terminal: Terminal,
        bodies: [[String]: Body] = [:]
    ) async -> ExitCode {
        // This is determined before anything is parsed, because programs need parse errors as JSON too.
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        let language = wantsJSON ? .english : DisplayLanguage(of: SessionLanguage.tag(environment))
        return await Speech.$language.withValue(language) {
            await speaking(
                arguments,
                environment: environment,
                terminal: terminal,
                bodies: bodies,
                wantsJSON: wantsJSON
            )
        }
    }

    private static func speaking(
        _ arguments: [String],
        environment: [String: String],
        terminal: Terminal,
        bodies: [[String]: Body],
        wantsJSON: Bool
    ) async -> ExitCode {
        do {
            return try await perform(
                try CommandLineParser.parse(arguments),
                arguments: arguments,
                environment: environment,
                terminal: terminal,
                bodies: bodies
            )
        } catch {
            let problem = ProblemText.advised(ProblemText.problem(error), after: arguments)
            if environment[ExternalProgram.problemsAsJSON] != nil, let bytes = try? problem.encodedBody() {
                terminal.note(String(decoding: bytes, as: UTF8.self))
            } else {
                ProblemText.show(problem, terminal, asJSON: wantsJSON)
            }
            return ProblemText.exitCode(problem)
        }
    }

    /// Runs a command for a program that shows the result itself. Throws problems in the given language.
    ///
    /// `admits` throws if that program does not support the command.
    package static func attempt(
        _ request: CommandRequest,
        environment: [String: String],
        terminal: Terminal,
        language: DisplayLanguage,
        bodies: [[String]: Body] = [:],
        admits: (_ command: Command, _ subjects: [String], _ options: [String: String]) throws -> Void
    ) async throws -> ExitCode {
        try await Speech.$language.withValue(language) {
            do {
                return try await perform(
                    try request.parsed(),
                    arguments: request.arguments,
                    environment: environment,
                    terminal: terminal,
                    bodies: bodies,
                    admits: admits
                )
            } catch {
                var problem = ProblemText.advised(ProblemText.problem(error), after: request.arguments)
                problem.message = Speech.say(problem)
                throw problem
            }
        }
    }

    private static func perform(
        _ parsed: CommandLineParser.Parsed,
        arguments: [String],
        environment: [String: String],
        terminal: Terminal,
        bodies: [[String]: Body],
        admits: (_ command: Command, _ subjects: [String], _ options: [String: String]) throws -> Void = {
            _,
            _,
            _ in
        }
    ) async throws -> ExitCode {
        switch parsed {
        case .overview: terminal.write(HelpText.overview(terminal))
        case .nounHelp(let noun): terminal.write(HelpText.noun(noun, terminal))
        case .commandHelp(let command): terminal.write(HelpText.command(command, terminal))
        case .run(let command, let subjects, let options):
            try admits(command, subjects, options)
            let invocation = Invocation(
                subjects: subjects,
                options: options,
                environment: environment,
                directories: try Directories.from(environment: environment),
                terminal: terminal,
                arguments: arguments
            )
            if let body = bodies[command.words] { return try await body(invocation) }
            return try await command.run(invocation)
        }
        return .done
    }
}

/// The text of a problem on a terminal, and its exit code.
package enum ProblemText {
    package static func exitCode(_ problem: Problem) -> ExitCode {
        switch problem.code {
        case "service.not_running", "system.not_running": .notRunning
        case "access.denied", "auth.unauthorized", "auth.wrong_passcode", "auth.locked", "auth.proof_needed",
            "access.passcode_elsewhere", "auth.not_a_prover", "auth.root_only", "request.wrong_code",
            "request.code_used",
            "request.own_rule":
            .notAllowed
        default: problem.code.hasPrefix("usage.") || problem.code.hasPrefix("scenario.") ? .usage : .no
        }
    }

    /// Returns the details of a problem with a mistyped name: the typed name and the name that was probably meant.
    package static func retyping(_ typed: String, _ meant: String?) -> [String: String] {
        meant.map { ["typed": typed, "meant": $0] } ?? [:]
    }

    /// Returns the problem with a line to type next.
    ///
    /// If a name was mistyped, the line is the typed line with the corrected name. If the problem has no help, the line is the
    /// command's `--help`.
    package static func advised(_ problem: Problem, after arguments: [String]) -> Problem {
        var problem = problem
        if let typed = problem.details["typed"], let meant = problem.details["meant"] {
            let words = arguments.map { argument in
                argument.split(separator: ",", omittingEmptySubsequences: false).map {
                    $0 == typed ? meant : String($0)
                }
                .joined(separator: ",")
            }
            if words != arguments {
                problem.help = "screentime " + words.map(ShellText.quote).joined(separator: " ")
            }
            return problem
        }
        let words = arguments.drop { $0.hasPrefix("-") }.prefix { !$0.hasPrefix("-") }
        let command = Grammar.command(Array(words.prefix(2))) ?? Grammar.command(Array(words.prefix(1)))
        guard let help = problem.help else {
            // Internal errors and refusals do not depend on the typed line.
            guard problem.code != "internal", problem.code != "command.failed",
                exitCode(problem) != .notAllowed
            else { return problem }
            problem.help = (["screentime"] + (command?.words ?? []) + ["--help"]).joined(separator: " ")
            return problem
        }
        guard help.hasPrefix("--") else {
            // Only the subjects need to be corrected, so the options of the typed line are kept.
            guard let command, subjectCodes.contains(problem.code), !help.contains(" --") else {
                return problem
            }
            var reader = ArgumentReader(command: command)
            try? reader.read(Array(arguments.drop { $0.hasPrefix("-") }.dropFirst(command.words.count)))
            for (name, value) in reader.options.sorted(by: { $0.key < $1.key }) {
                problem.help =
                    (problem.help ?? "") + " " + name + (value.isEmpty ? "" : " " + ShellText.quote(value))
            }
            return problem
        }
        let name = String(help.prefix { $0 != " " })
        var rest = arguments
        if let index = rest.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") }) {
            let isSplit = rest[index] == name && command?.options.first { $0.name == name }?.value != nil
            rest.removeSubrange(index..<min(rest.count, index + (isSplit ? 2 : 1)))
        }
        problem.help = (["screentime"] + rest.map(ShellText.quote) + [help]).joined(separator: " ")
        return problem
    }

    /// Returns the problem's text and help. With `withCode`, adds its code and the JSON field, for people who write JSON.
    package static func text(_ problem: Problem, withCode: Bool = false) -> String {
        let place = withCode ? problem.field.map { " (at \($0))" } ?? "" : ""
        let code = withCode ? " [\(problem.code)]" : ""
        let advice = Speech.say("command.try", "try")
        return asTyped(Speech.say(problem)) + place + code
            + (problem.help.map { "\n  \(advice): \(asTyped($0))" } ?? "")
    }

    /// Returns the text with `screentime` replaced by the name under which this person runs the command.
    ///
    /// A command that runs from the source tree is not in the person's path. Only occurrences at the start, after a colon and in
    /// backquotes are replaced.
    package static func asTyped(_ text: String) -> String {
        guard let name = ProcessEnvironment.current()["SCREENTIME_COMMAND"], !name.isEmpty else {
            return text
        }
        let start = text.hasPrefix("screentime ") ? name + text.dropFirst("screentime".count) : text
        return ["`", ": "].reduce(start) { $0.replacing("\($1)screentime ", with: "\($1)\(name) ") }
    }

    private static let subjectCodes: Set<String> = [
        "usage.subject_missing", "usage.bad_duration", "usage.bad_window", "usage.bad_order",
    ]

    package static func show(_ problem: Problem, _ terminal: Terminal, asJSON: Bool, withCode: Bool = false) {
        if asJSON, let bytes = try? problem.encodedBody() {
            terminal.write(JSONOutput.pretty(bytes))
        } else {
            terminal.note(text(problem, withCode: withCode))
        }
    }

    package static func problem(_ error: any Error) -> Problem {
        error as? Problem ?? Problem("command.failed", "The command failed: \(error, "error")")
    }
}
