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
                .init(
                    "--completion",
                    value: "bash|zsh|fish",
                    summary: "prints the completion script of that shell"
                ),
                .init(
                    "--all",
                    value: nil,
                    summary: "lists all commands",
                    key: "help.--all.lists-all-commands"
                ),
                .init("--man", value: nil, summary: "prints the help of all commands as a manual page"),
                .init("--markdown", value: nil, summary: "prints the guide to all commands in Markdown"),
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
        if invocation.has("--markdown") {
            terminal.write(HelpText.guide())
            return .done
        }
        let words = invocation.subjects
        if invocation.has("--all") {
            terminal.write(HelpText.all(terminal))
        } else if words.isEmpty {
            terminal.write(HelpText.overview(terminal))
        } else if let command = Grammar.command(words) {
            terminal.write(HelpText.command(command, terminal))
        } else if words.count == 1, !Grammar.verbs(of: words[0]).isEmpty {
            terminal.write(HelpText.noun(words[0], terminal))
        } else if let command = Grammar.command([words[0]]) {
            terminal.write(HelpText.command(command, terminal))
        } else {
            throw CommandSuggestion.explain(words)
        }
        return .done
    }
}

/// The text of `--help`, generated from the table of commands.
package enum HelpText {
    /// The first words of the commands that most people need, in the usual order of use.
    private static let common: [(words: String, summary: Message)] = [
        ("setup", Message("help.common-setup", "Choose who uses this account, and make the first rules")),
        ("console", Message("help.common-console", "Open Screen Time in a browser")),
        ("report", Message("help.common-report", "Show what was used, today or at any time")),
        ("limit", Message("help.common-limit", "Limit an app, a site or a category to some time a day")),
        ("downtime", Message("help.common-downtime", "Block the computer at certain times of the day")),
        ("rule", Message("help.common-rule", "List, pause and remove rules of all kinds")),
        ("request", Message("help.common-request", "Ask for more time, and answer requests")),
        ("why", Message("help.common-why", "Explain why something is shielded")),
        ("member", Message("help.common-member", "Add people, and set their accounts and passcodes")),
        ("household", Message("help.common-household", "Connect several computers and phones")),
        ("doctor", Message("help.common-doctor", "Find out what does not work here, and how to repair it")),
        ("system", Message("help.common-system", "Start and stop Screen Time")),
    ]

    /// Returns the common commands, which fit on one screen of 24 lines.
    package static func overview(_ terminal: Terminal) -> String {
        let width = common.map(\.words.count).max() ?? 0
        let rest = Grammar.firstWords.filter { word in !common.contains { $0.words == word } && word != "help"
        }
        var lines = [
            Speech.say(
                "help.screen-time-for-linux",
                "Screen Time for Linux shows and limits how this computer is used."
            ), "",
        ]
        lines += common.map {
            "  screentime \(DisplayWidth.padded($0.words, width))  \(Speech.say($0.summary))"
        }
        let words = rest.joined(separator: ", ")
        let more = Speech.say("help.more", "More: \(words, "words").")
        let how = Speech.say(
            "help.screentime-shows-today-screentime",
            """
            `screentime` shows today's usage. `screentime help limit` explains one of these commands. \
            `screentime help --all` lists all commands.
            """
        )
        lines += [""] + TextWrap.lines(more, terminal) + [""] + TextWrap.lines(how, terminal)
        return lines.joined(separator: "\n")
    }

    /// Returns all commands by group.
    package static func all(_ terminal: Terminal) -> String {
        let width = Grammar.shown.map { usage($0, withOptions: false).count }.max() ?? 0
        var lines = Grammar.groups.flatMap { group, commands in
            section(
                Speech.say(group.title),
                commands: commands.filter { !$0.isInternal },
                width: width,
                terminal: terminal
            )
        }
        lines.append(
            Speech.say(
                "help.every-command-takes-help",
                "Every command has --help. Commands whose output a program may want to read also have --json."
            )
        )
        lines.append(exitCodes)
        return lines.joined(separator: "\n")
    }

    private static var exitCodes: String {
        Speech.say(
            "help.exit-codes-0-done",
            """
            Exit codes: 0 success, 1 failure or negative answer, 2 invalid command, 3 Screen Time not \
            running, 4 not allowed.
            """
        )
    }

    /// Returns the source of the manual page, with every command and its options.
    package static func manual() -> String {
        var lines = manualStart
        for (group, commands) in Grammar.groups {
            lines.append(".SH \(manualText(Speech.say(group.title).uppercased()))")
            for command in commands where !command.isInternal {
                lines += [".TP", ".B \(manualText(usage(command, withOptions: false)))"]
                lines.append(manualText(Speech.say(command.summary) + "."))
                let rows =
                    command.subjects.map { ($0.name, Speech.say($0.summary)) }
                    + command.options.map { ($0.usage, Speech.say($0.summary)) }
                if !rows.isEmpty { lines.append(".RS") }
                for (name, summary) in rows {
                    lines += [".TP", ".B \(manualText(name))", manualText(summary)]
                }
                if !rows.isEmpty { lines.append(".RE") }
            }
        }
        lines += [
            ".SH \(Speech.say("help.man-exit-status", "EXIT STATUS"))", manualText(exitCodes),
            ".SH \(Speech.say("help.man-files", "FILES"))",
            ".TP", ".I ~/.config/screentime/config",
            manualText(Speech.say("help.man-settings", "The settings.")),
            ".TP", ".I ~/.local/state/screentime",
            manualText(Speech.say("help.man-records", "The records, and the logs of the services.")),
        ]
        return lines.joined(separator: "\n")
    }

    /// The manual page up to its list of commands.
    private static var manualStart: [String] {
        let summary = Speech.say("help.man-summary", "shows and limits how a computer is used")
        let setup = Speech.say(
            "help.man-setup",
            """
            Without a command, \(bold("screentime"), "program") shows today's usage. To set up this account \
            and its first rules, run \(bold("screentime setup"), "setup").
            """
        )
        return [
            ".TH SCREENTIME 1 \"\" \"Screen Time \(Version.text)\" \"Screen Time\"",
            ".SH \(Speech.say("help.man-name", "NAME"))", "screentime", "\\- " + manualText(summary),
            ".SH \(Speech.say("help.man-synopsis", "SYNOPSIS"))",
            ".B screentime", "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]",
            ".SH \(Speech.say("help.man-description", "DESCRIPTION"))", setup,
            Speech.say("help.man-help", "Every command has the option \(bold("--help"), "help")."),
        ]
    }

    private static func bold(_ text: String) -> String { "\\fB\(manualText(text))\\fR" }

    /// Returns the text of `deploy/guide/command.md`.
    package static func guide() -> String {
        var lines = [
            "# Commands", "",
            "`screentime help --markdown` generates this page. Every command takes `--help`. " + exitCodes,
        ]
        for (group, commands) in Grammar.groups {
            lines += ["", "## \(group.title.english)"]
            for command in commands where !command.isInternal {
                lines += [
                    "", "### `\(usage(command, withOptions: false))`", "", command.summary.english + ".", "",
                ]
                let rows =
                    command.subjects.map { ($0.name, $0.summary.english) }
                    + command.options.map { ($0.usage, $0.summary.english) }
                lines += rows.map { "- `\($0)`: \($1)" }
                lines += (rows.isEmpty ? [] : [""]) + ["Example: `\(command.example)`"]
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Escapes a line of text, so that troff does not read it as a request.
    private static func manualText(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    package static func noun(_ noun: String, _ terminal: Terminal) -> String {
        let commands = Grammar.verbs(of: noun)
        let width = commands.map { usage($0, withOptions: false).count }.max() ?? 0
        var lines = section("screentime \(noun)", commands: commands, width: width, terminal: terminal)
        let example = "screentime \(noun) VERB --help"
        lines.append(
            Speech.say("help.says-more-about-each", "\(example, "example") explains each of these commands.")
        )
        return lines.joined(separator: "\n")
    }

    package static func command(_ command: Command, _ terminal: Terminal) -> String {
        var lines = [
            terminal.styled(usage(command, withOptions: true), .bold), "", Speech.say(command.summary) + ".",
        ]
        var rows: [(String, String)] = command.subjects.map { ($0.name, Speech.say($0.summary)) }
        rows += command.options.map { ($0.usage, Speech.say($0.summary)) }
        if !rows.isEmpty { lines.append("") }
        let width = rows.map(\.0.count).max() ?? 0
        for (name, summary) in rows {
            lines.append("  " + DisplayWidth.padded(name, width) + "  " + summary)
        }
        lines += ["", Speech.say("help.for-example", "For example:"), "  " + command.example]
        return lines.joined(separator: "\n")
    }

    /// Returns the syntax of a command, for example `screentime bus call ROUTE [JSON] [--to SERVICE]`.
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

    private static func section(_ title: String, commands: [Command], width: Int, terminal: Terminal)
        -> [String]
    {
        guard !commands.isEmpty else { return [] }
        let rows = commands.map {
            "  " + DisplayWidth.padded(usage($0, withOptions: false), width) + "  " + Speech.say($0.summary)
        }
        return [terminal.styled(title, .bold)] + rows + [""]
    }
}
