import STContracts
import STPlatform

/// `screentime help`.
enum HelpCommand {
    static let commands: [Command] = [
        Command(
            ["help"],
            "Explains a command, or prints completion for a shell",
            subjects: [.init("COMMAND", "the words of a command", isOptional: true, isRepeated: true)],
            options: [
                .init("--completion", "bash|zsh|fish", "prints the completion script of that shell"),
                .init("--man", nil, "prints all of it as a manual page"),
            ],
            example: "screentime help report"
        ) { try run($0) }
    ]

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        let terminal = invocation.terminal
        if let shell = invocation.value("--completion") {
            terminal.write(try Completion.script(shell))
            return .done
        }
        if invocation.has("--man") {
            terminal.write(HelpText.manual())
            return .done
        }
        let words = invocation.subjects
        if words.isEmpty {
            terminal.write(HelpText.overview(terminal))
        } else if let command = Grammar.command(words) {
            terminal.write(HelpText.command(command, terminal))
        } else if words.count == 1, !Grammar.verbs(of: words[0]).isEmpty {
            terminal.write(HelpText.noun(words[0], terminal))
        } else if let command = Grammar.command([words[0]]) {
            terminal.write(HelpText.command(command, terminal))
        } else {
            throw NearMiss.explain(words)
        }
        return .done
    }
}

/// What `--help` says, made from the table.
package enum HelpText {
    private static let groups: [(title: String, words: [String])] = [
        ("How the day goes", ["", "report", "why", "notification"]),
        (
            "Rules for yourself and others",
            ["limit", "downtime", "window", "goal", "allow", "rule", "category", "pick"]
        ),
        ("Shields, and more time", ["request", "shield", "store"]),
        ("Who uses this computer", ["member"]),
        ("Apps that watch, shield and report", ["app", "simulate"]),
        (
            "Start, stop and look after it",
            ["system", "desktop", "browser", "status", "doctor", "data", "thaw"]
        ),
        ("See every step it takes", ["trace", "bus"]),
        ("Help", ["help"]),
    ]

    private static let more = "More"
    package static var titles: [String] { groups.map(\.title) + [more] }

    package static func overview(_ terminal: Terminal) -> String {
        var lines = [
            Speech.say(
                "Screen Time for Linux: what this computer is used for, and by whom.",
                "Screen Time for Linux: 이 컴퓨터를 누가 무엇에 쓰는지 봅니다."
            ), "",
        ]
        let width = Grammar.commands.map { usage($0, withOptions: false).count }.max() ?? 0
        for (title, commands) in grouped { lines += section(Speech.told(title), commands, width, terminal) }
        lines.append(
            Speech.say(
                "Every command takes --help, and --json where a program may want to read it.",
                "모든 명령에 --help를, 프로그램이 읽을 만한 명령에는 --json을 쓸 수 있습니다."
            )
        )
        lines.append(exitCodes)
        return lines.joined(separator: "\n")
    }

    private static var exitCodes: String {
        Speech.say(
            "Exit codes: 0 done, 1 no, 2 not understood, 3 not running, 4 not allowed.",
            "종료 코드: 0 완료, 1 아니요, 2 알 수 없는 명령, 3 실행되고 있지 않음, 4 허용되지 않음."
        )
    }

    private static var grouped: [(title: String, commands: [Command])] {
        let known = groups.map { group in
            (group.title, Grammar.commands.filter { group.words.contains($0.words.first ?? "") })
        }
        let shown = Set(known.flatMap(\.1).map(\.words))
        // A noun that is in no group is still shown.
        return known + [(more, Grammar.commands.filter { !shown.contains($0.words) })]
    }

    /// For `man`: every command with its options.
    package static func manual() -> String {
        var lines = [
            ".TH SCREENTIME 1 \"\" \"Screen Time \(Version.text)\" \"Screen Time\"",
            ".SH NAME", "screentime", "\\- limits, shields and reports for the time at this computer",
            ".SH SYNOPSIS", ".B screentime", "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
            ".SH DESCRIPTION",
            "Without a command it shows the day so far. The first run is", ".B screentime setup",
            "(it asks for whom the account is, and offers rules).",
            "Every command takes",
            ".BR \\-\\-help .",
        ]
        for (title, commands) in grouped where !commands.isEmpty {
            lines.append(".SH \(manualText(title.uppercased()))")
            for command in commands {
                lines += [".TP", ".B \(manualText(usage(command, withOptions: false)))"]
                lines.append(manualText(command.summary + "."))
                let rows =
                    command.subjects.map { ($0.name, $0.summary) }
                    + command.options.map { ($0.usage, $0.summary) }
                if !rows.isEmpty { lines.append(".RS") }
                for (name, summary) in rows {
                    lines += [".TP", ".B \(manualText(name))", manualText(summary)]
                }
                if !rows.isEmpty { lines.append(".RE") }
            }
        }
        lines += [
            ".SH EXIT STATUS", manualText(exitCodes),
            ".SH FILES",
            ".TP", ".I ~/.config/screentime/config", "Settings.",
            ".TP", ".I ~/.local/state/screentime", "What was recorded, and the logs of the services.",
        ]
        return lines.joined(separator: "\n")
    }

    /// A line of text, which may begin with what is a request to troff.
    private static func manualText(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    package static func noun(_ noun: String, _ terminal: Terminal) -> String {
        let commands = Grammar.verbs(of: noun)
        let width = commands.map { usage($0, withOptions: false).count }.max() ?? 0
        var lines = section("screentime \(noun)", commands, width, terminal)
        let example = "screentime \(noun) VERB --help"
        lines.append(Speech.say("\(example) says more about each.", "하나씩 더 보기: \(example)"))
        return lines.joined(separator: "\n")
    }

    package static func command(_ command: Command, _ terminal: Terminal) -> String {
        var lines = [
            terminal.styled(usage(command, withOptions: true), .bold), "", Speech.told(command.summary) + ".",
        ]
        var rows: [(String, String)] = command.subjects.map { ($0.name, $0.summary) }
        rows += command.options.map { ($0.usage, $0.summary) }
        if !rows.isEmpty { lines.append("") }
        let width = rows.map(\.0.count).max() ?? 0
        for (name, summary) in rows {
            lines.append("  " + DisplayWidth.padded(name, width) + "  " + Speech.told(summary))
        }
        lines += ["", Speech.say("For example:", "예:"), "  " + command.example]
        return lines.joined(separator: "\n")
    }

    /// `screentime bus call ROUTE [JSON] [--to SERVICE]`.
    package static func usage(_ command: Command, withOptions: Bool) -> String {
        var parts = ["screentime"] + command.words
        for subject in command.subjects {
            let name = subject.name + (subject.isRepeated ? "…" : "")
            parts.append(subject.isOptional ? "[\(name)]" : name)
        }
        if withOptions {
            parts += command.options.map { "[" + $0.usage + "]" }
        }
        return parts.joined(separator: " ")
    }

    private static func section(_ title: String, _ commands: [Command], _ width: Int, _ terminal: Terminal)
        -> [String]
    {
        guard !commands.isEmpty else { return [] }
        let rows = commands.map {
            "  " + DisplayWidth.padded(usage($0, withOptions: false), width) + "  " + Speech.told($0.summary)
        }
        return [terminal.styled(title, .bold)] + rows + [""]
    }
}
