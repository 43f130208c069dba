package import STPlatform

/// A command in the table of commands: its words, its subjects and options, its help text, and its implementation.
///
/// `Grammar.commands` is the table. The parser, the help, the shell completion and the manual page are generated from it. The
/// parser rejects commands that the table does not contain.
///
/// ```swift
/// static let command = Command(
///     ["thaw"],
///     "Resumes every paused app after desktop-agent has ended unexpectedly",
///     options: [.json],
///     example: "screentime thaw"
/// ) { invocation in
///     invocation.show(json: JSONOutput.pretty(["resumed": 0]), text: "No app was paused.")
/// }
/// ```
package struct Command: Sendable {
    /// The kind of an external file, folder or address that a value names. The console page refuses such
    /// values.
    package enum Place: String, Sendable {
        case file = "FILE"
        case folder = "FOLDER"
        case address = "URL"
    }

    package struct Subject: Sendable {
        package var name: String
        package var place: Place?
        package var summary: Message
        package var isOptional: Bool
        package var isRepeated: Bool

        /// `key` defaults to `help.arg-name`. Pass a key if another subject has the same name and a different summary.
        package init(
            _ name: String,
            _ summary: MessageText,
            key: String? = nil,
            isOptional: Bool = false,
            isRepeated: Bool = false
        ) {
            self.name = name
            let word = String(name.lowercased().map { $0.isLetter ? $0 : "-" })
            self.summary = Message(key ?? "help.arg-\(word)", summary)
            self.isOptional = isOptional
            self.isRepeated = isRepeated
        }

        package init(_ place: Place, _ summary: MessageText, key: String? = nil, isOptional: Bool = false) {
            self.init(place.rawValue, summary, key: key, isOptional: isOptional)
            self.place = place
        }
    }

    package struct Option: Sendable {
        /// The name with its dashes, for example `--member`.
        package var name: String
        /// The placeholder for the option's value in the help. `nil` for a switch.
        package var value: String?
        package var place: Place?
        package var summary: Message
        /// True if the option may be given without a value. Its value is then "".
        package var isValueOptional: Bool

        /// `key` defaults to `help.--name`. Pass a key if another option has the same name and a different summary.
        package init(
            _ name: String,
            value: String? = nil,
            summary: MessageText,
            key: String? = nil,
            isValueOptional: Bool = false
        ) {
            self.name = name
            self.value = value
            self.summary = Message(key ?? "help.\(name)", summary)
            self.isValueOptional = isValueOptional
        }

        package init(
            _ name: String,
            place: Place,
            summary: MessageText,
            key: String? = nil,
            isValueOptional: Bool = false
        ) {
            self.init(
                name,
                value: place.rawValue,
                summary: summary,
                key: key,
                isValueOptional: isValueOptional
            )
            self.place = place
        }

        /// The option in the help, for example `--by app|site` or `--csv [FILE]`.
        package var usage: String {
            guard let value else { return name }
            return "\(name) \(isValueOptional ? "[\(value)]" : value)"
        }

        package static let ids = Option(
            "--ids",
            value: nil,
            summary: "shows the ids of apps instead of their names"
        )
        package static let json = Option(
            "--json",
            value: nil,
            summary: "prints one JSON document, for programs"
        )
    }

    /// The words after `screentime`, for example `["status"]`, or a noun and a verb, `["bus", "call"]`.
    package var words: [String]
    package var summary: Message
    package var subjects: [Subject]
    package var options: [Option]
    /// A complete command line, for the help.
    package var example: String
    /// True if only other programs, for example PAM, start the command. Help and completion do not show it.
    package var isInternal = false
    /// The program that performs the command, in the folder of this program. `nil` if this program performs it.
    package var program: String?
    package var run: @Sendable (Invocation) async throws -> ExitCode

    package init(
        _ words: [String],
        _ summary: MessageText,
        key: String? = nil,
        subjects: [Subject] = [],
        options: [Option] = [],
        example: String,
        run: @escaping @Sendable (Invocation) async throws -> ExitCode
    ) {
        self.words = words
        self.summary = Message(
            key ?? "help.\(words.isEmpty ? "today" : words.joined(separator: "-"))",
            summary
        )
        self.subjects = subjects
        self.options = options
        self.example = example
        self.run = run
    }

    func onlyForPrograms() -> Command {
        var command = self
        command.isInternal = true
        return command
    }

    /// Creates a command of another module. The program passes the implementation to `CommandRunner`.
    init(
        _ words: [String],
        _ summary: MessageText,
        key: String? = nil,
        subjects: [Subject] = [],
        options: [Option] = [],
        example: String
    ) {
        self.init(words, summary, key: key, subjects: subjects, options: options, example: example) { _ in
            let line = words.joined(separator: " ")
            throw Problem(
                "internal",
                "This program has no implementation of `screentime \(line, "command")`.",
                key: "internal.this-program-has-no"
            )
        }
    }

    /// Creates a command that another program performs.
    init(
        _ words: [String],
        _ summary: MessageText,
        key: String? = nil,
        subjects: [Subject] = [],
        options: [Option] = [],
        example: String,
        program: String
    ) {
        self.init(words, summary, key: key, subjects: subjects, options: options, example: example) {
            try await ExternalProgram.run(program, $0)
        }
        self.program = program
    }
}

/// The exit codes of `screentime`.
package enum ExitCode: Int32, Sendable {
    case done = 0
    /// The answer is no, or the command failed.
    case no = 1
    case usage = 2
    case notRunning = 3
    case notAllowed = 4
}
