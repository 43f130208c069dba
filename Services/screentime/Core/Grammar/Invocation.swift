package import STContracts
package import STDomain
package import STPlatform

/// A command line that matches the grammar, and the surroundings in which the command runs.
///
/// `CommandRunner` creates an invocation for each run and passes it to the command's implementation. The implementation reads
/// subjects and options from it, and writes its result to `terminal`.
///
/// ```swift
/// static func run(_ invocation: Invocation) async throws -> ExitCode {
///     let names = try await ServiceClients.with(invocation.directories) { clients in
///         try await clients.call(MemberList.self, Empty()).members.map(\.name)
///     }
///     return invocation.show(
///         json: JSONOutput.pretty(.array(names.map { .string($0) })),
///         lines: { names }
///     )
/// }
/// ```
package struct Invocation: Sendable {
    package var subjects: [String]
    /// The values of the options by name, with the dashes. The value of a switch is "".
    package var options: [String: String]
    package var environment: [String: String]
    package var directories: Directories
    package var terminal: Terminal
    /// All command-line arguments after the name of the program.
    package var arguments: [String]

    package init(
        subjects: [String],
        options: [String: String],
        environment: [String: String],
        directories: Directories,
        terminal: Terminal,
        arguments: [String] = []
    ) {
        self.subjects = subjects
        self.options = options
        self.environment = environment
        self.directories = directories
        self.terminal = terminal
        self.arguments = arguments
    }

    /// The wall time that the services use. A person cannot change it by setting the computer's clock.
    package var now: WallTime {
        TrustedTimeSource(SystemTimeSource(), reading: directories.clock).now().wall
    }

    /// Formats moments for sentences. Tables and lists use `TimeText`, because commands accept its format.
    package var moments: MomentFormatter {
        MomentFormatter(fromMs: now.ms, zone: LocalZone.identifier(), in: Speech.language)
    }

    package func has(_ option: String) -> Bool { options[option] != nil }

    package var wantsJSON: Bool { has("--json") }

    /// Writes the result to the terminal, as JSON if `--json` was given. Returns `.done`.
    package func show(json: @autoclosure () throws -> String, text: @autoclosure () throws -> String) rethrows
        -> ExitCode
    {
        terminal.write(wantsJSON ? try json() : try text())
        return .done
    }

    /// Writes the result as JSON or as lines. With `wraps`, lines longer than the terminal is wide are broken at words.
    package func show(json: @autoclosure () throws -> String, wraps: Bool = false, lines: () -> [String])
        rethrows
        -> ExitCode
    {
        if wantsJSON {
            terminal.write(try json())
        } else if wraps {
            terminal.write(wrapping: lines())
        } else {
            terminal.write(lines().joined(separator: "\n"))
        }
        return .done
    }

    package func value(_ option: String) -> String? { options[option] }

    /// Returns the duration of an option such as `--for 10s`.
    package func duration(_ option: String) throws(Problem) -> Duration? {
        guard let text = options[option] else { return nil }
        guard let value = TextFormat.durationMs(text), value > 0 else {
            throw Problem(
                "usage.bad_duration",
                "\(option, "option") is “\(text, "text")”; it must be a duration such as 500ms, 10s or 1h30m.",
                help: "\(option) 10s"
            )
        }
        return .milliseconds(value)
    }

    package func count(_ option: String) throws(Problem) -> Int? {
        guard let text = options[option] else { return nil }
        guard let value = Int(text), (1...1_000_000).contains(value) else {
            throw Problem(
                "usage.bad_number",
                "\(option, "option") is “\(text, "text")”; it must be a whole number from 1 to 1000000.",
                help: "\(option) 10"
            )
        }
        return value
    }

    package func service(_ option: String) throws(Problem) -> ServiceName? {
        try options[option].map { text throws(Problem) in try Self.service(named: text) }
    }

    package static func service(named text: String) throws(Problem) -> ServiceName {
        let names = ServiceName.all.map(\.rawValue)
        if names.contains(text) { return ServiceName(text) }
        throw unknown(service: text, among: names, help: "screentime status")
    }

    static func unknown(service name: String, among names: [String], help: String) -> Problem {
        let list = names.joined(separator: ", ")
        return Problem(
            "usage.unknown_service",
            text: TextFormat.closest(to: name, in: names).map {
                Message(
                    "usage.unknown_service.did-you-mean",
                    """
                    There is no service “\(name, "name")”. Did you mean \($0, "near")? The services are: \
                    \(list, "services").
                    """
                )
            }
                ?? Message(
                    "usage.unknown_service",
                    "There is no service “\(name, "name")”. The services are: \(list, "services")."
                ),
            help: help
        )
    }

    /// Returns the value of an option that must be one of the known values of a wire enum.
    package func choice<Value: WireEnum>(_ option: String, _ type: Value.Type) throws(Problem) -> Value? {
        guard let text = options[option] else { return nil }
        if let value = Value(rawValue: text), value != .unknown { return value }
        let list = Value.known.joined(separator: ", ")
        throw Problem(
            "usage.bad_choice",
            "\(option, "option") is “\(text, "text")”; it must be one of: \(list, "choices").",
            help: Value.known.first.map { "\(option) \($0)" }
        )
    }
}

/// The language of the texts that a command requests: `--language`, or else the language of the session.
package enum LanguageOption {
    private static let codeBytesMax = 35

    /// Returns a language tag in the format of the web and of apps, for example `en-US` for `en_US`.
    ///
    /// Returns `nil` if neither the option nor the environment sets a language.
    package static func read(_ invocation: Invocation) throws(Problem) -> String? {
        guard let text = invocation.value("--language") else { return own(invocation.environment) }
        guard isLanguage(text) else {
            throw Problem(
                "usage.bad_language",
                "--language is “\(text, "text")”; it must be a code such as ko or en_US.",
                help: "--language ko"
            )
        }
        return tag(text)
    }

    private static func tag(_ text: String) -> String { text.replacing("_", with: "-") }

    private static func own(_ environment: [String: String]) -> String? {
        SessionLanguage.tag(environment).flatMap { isLanguage($0) ? tag($0) : nil }
    }

    /// Returns true for codes such as `ko`, `en_US` and `zh-Hant-TW`.
    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard text.utf8.count <= codeBytesMax, let first = parts.first, (2...3).contains(first.count) else {
            return false
        }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte & 0xDF) }
        return first.utf8.allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count)
                    && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
            }
    }
}
