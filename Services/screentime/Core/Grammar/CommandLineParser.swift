package import STPlatform

/// Parses arguments into a command of the table. Throws a problem with the closest command if none matches.
package enum CommandLineParser {
    package enum Parsed: Sendable {
        case overview
        case nounHelp(String)
        case commandHelp(Command)
        case run(Command, subjects: [String], options: [String: String])
    }

    /// Upper bound on the number of arguments. No person types more. A longer line comes from a faulty program.
    private static let argumentsMax = 1000

    package static func parse(_ arguments: [String]) throws(Problem) -> Parsed {
        guard arguments.count <= argumentsMax else {
            throw Problem(
                "usage.too_many",
                "There are more than \(argumentsMax, "most") arguments.",
                help: "screentime help"
            )
        }
        let wantsHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        let start = arguments.firstIndex { !$0.hasPrefix("-") } ?? arguments.endIndex
        let words = Array(arguments[start...].prefix { !$0.hasPrefix("-") })
        guard let command = match(words) else {
            if wantsHelp, words.count == 1, let noun = words.first, !Grammar.verbs(of: noun).isEmpty {
                return .nounHelp(noun)
            }
            throw CommandSuggestion.explain(words)
        }
        if wantsHelp { return command.words.isEmpty ? .overview : .commandHelp(command) }
        var rest = arguments
        rest.removeSubrange(start..<(start + command.words.count))
        var reader = ArgumentReader(command: command)
        try reader.read(rest)
        return .run(command, subjects: reader.subjects, options: reader.options)
    }

    private static func match(_ words: [String]) -> Command? {
        guard let first = words.first else { return Grammar.command([]) }
        if words.count > 1, let command = Grammar.command([first, words[1]]) { return command }
        return Grammar.command([first])
    }
}

/// Splits the arguments after a command's words into subjects and options.
struct ArgumentReader {
    let command: Command
    private(set) var subjects: [String] = []
    private(set) var options: [String: String] = [:]

    init(command: Command) { self.command = command }

    mutating func read(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                subjects += rest
                break
            }
            // A lone dash stands for standard input and is a subject.
            if argument.hasPrefix("-"), argument != "-" {
                try takeOption(argument, &rest)
            } else {
                subjects.append(argument)
            }
        }
        try checkSubjects()
    }

    mutating func read(_ request: CommandRequest) throws(Problem) {
        for (name, value) in request.options.sorted(by: { $0.key < $1.key }) {
            let option = try option("--" + name)
            guard option.value != nil || value.isEmpty else { throw switchHasNoValue(option.name) }
            options[option.name] = value
        }
        subjects = request.subjects
        try checkSubjects()
    }

    private func option(_ name: String) throws(Problem) -> Command.Option {
        guard let option = command.options.first(where: { $0.name == name }) else { throw unknown(name) }
        return option
    }

    private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(Problem) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let name = parts[0]
        let option = try option(name)
        guard options[name] == nil else {
            throw Problem(
                "usage.option_twice",
                "\(name, "name") is given twice; it can be given only once.",
                help: help
            )
        }
        guard let value = option.value else {
            guard parts.count == 1 else { throw switchHasNoValue(name) }
            options[name] = ""
            return
        }
        if parts.count == 2 {
            options[name] = parts[1]
        } else if let next = rest.first, next == "-" || !next.hasPrefix("--") {
            options[name] = next
            rest = rest.dropFirst()
        } else if option.isValueOptional {
            options[name] = ""
        } else {
            throw Problem(
                "usage.option_value",
                "\(name, "name") needs a value: \(name, "name") \(value, "value").",
                key: "usage.option_value.needs-a-value",
                help: help
            )
        }
    }

    private func checkSubjects() throws(Problem) {
        let wanted = command.subjects.filter { !$0.isOptional }
        if subjects.count < wanted.count {
            let missing = wanted[subjects.count]
            throw Problem(
                "usage.subject_missing",
                "\(missing.name, "name") is missing: \(missing.summary, "summary").",
                key: "usage.subject_missing.is-missing",
                help: help
            )
        }
        if !command.subjects.contains(where: \.isRepeated), subjects.count > command.subjects.count {
            let extra = subjects[command.subjects.count]
            throw Problem(
                "usage.subject_extra",
                "Unexpected argument: “\(extra, "word")”.",
                key: "usage.subject_extra.is-one-word",
                help: help
            )
        }
    }

    private func switchHasNoValue(_ name: String) -> Problem {
        Problem(
            "usage.option_value",
            "\(name, "name") is a switch and takes no value.",
            key: "usage.option_value.is-a-switch",
            help: help
        )
    }

    private func unknown(_ name: String) -> Problem {
        let names = command.options.map(\.name) + ["--help"]
        let list = names.joined(separator: " ")
        return Problem(
            "usage.unknown_option",
            text: TextFormat.closest(to: name, in: names).map {
                Message(
                    "usage.unknown_option.did-you-mean",
                    "\(title, "command") has no option \(name, "name"). Did you mean \($0, "near")?"
                )
            }
                ?? Message(
                    "usage.unknown_option.it-has",
                    "\(title, "command") has no option \(name, "name"). It has: \(list, "options")."
                ),
            help: help
        )
    }

    private var title: String { (["screentime"] + command.words).joined(separator: " ") }

    private var help: String { title + " --help" }
}
