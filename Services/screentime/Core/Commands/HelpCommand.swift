import STPlatform

/// `screentime help`.
enum HelpCommand {
    static let commands: [Command] = [
        Command(
            ["help"],
            "Says how a command is written, or prints completion for a shell",
            subjects: [.init("COMMAND", "the words of a command", isOptional: true, isRepeated: true)],
            options: [.init("--completion", "bash|zsh|fish", "prints the completion script of that shell")],
            example: "screentime help report"
        ) { try run($0) }
    ]

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        let terminal = invocation.terminal
        if let shell = invocation.value("--completion") {
            terminal.write(try Completion.script(shell))
            return .done
        }
        let words = invocation.subjects
        if words.isEmpty {
            terminal.write(HelpText.overview(terminal))
        } else if let command = Grammar.command(words) {
            terminal.write(HelpText.command(command, terminal))
        } else if words.count == 1, !Grammar.verbs(of: words[0]).isEmpty {
            terminal.write(HelpText.noun(words[0], terminal))
        } else {
            throw NearMiss.explain(words)
        }
        return .done
    }
}
