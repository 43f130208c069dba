package import STPlatform

/// Turns arguments into a line of the grammar, or into a problem that names the line that was probably meant.
package enum CommandLineParser {
    package enum Parsed: Sendable {
        case overview
        case nounHelp(String)
        case commandHelp(Command)
        case run(Command, subjects: [String], options: [String: String])
    }

    /// As many arguments as a person could ever mean; beyond it the line came from a broken program.
    private static let argumentsMax = 1000

    package static func parse(_ arguments: [String]) throws(Problem) -> Parsed {
        guard arguments.count <= argumentsMax else {
            throw Problem(
                "usage.too_many",
                "There are more than \(argumentsMax) arguments.",
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
            throw NearMiss.explain(words)
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

/// Sorts what follows a command's words into subjects and options.
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
            throw problem("usage.option_twice", "\(name) is given twice; it can be given once.")
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
            throw problem("usage.option_value", "\(name) needs a value: \(name) \(value).")
        }
    }

    private func checkSubjects() throws(Problem) {
        let wanted = command.subjects.filter { !$0.isOptional }
        if subjects.count < wanted.count {
            let missing = wanted[subjects.count]
            throw problem("usage.subject_missing", "\(missing.name) is missing: \(missing.summary).")
        }
        if !command.subjects.contains(where: \.isRepeated), subjects.count > command.subjects.count {
            let extra = subjects[command.subjects.count]
            throw problem("usage.subject_extra", "“\(extra)” is one word too many.")
        }
    }

    private func switchHasNoValue(_ name: String) -> Problem {
        problem("usage.option_value", "\(name) is a switch and takes no value.")
    }

    private func unknown(_ name: String) -> Problem {
        let names = command.options.map(\.name) + ["--help"]
        let title = (["screentime"] + command.words).joined(separator: " ")
        if let near = TextFormat.closest(to: name, in: names) {
            return problem("usage.unknown_option", "\(title) has no option \(name); did you mean \(near)?")
        }
        return problem(
            "usage.unknown_option",
            "\(title) has no option \(name). It has: \(names.joined(separator: " "))."
        )
    }

    private func problem(_ code: String, _ message: String) -> Problem {
        Problem(code, message, help: (["screentime"] + command.words + ["--help"]).joined(separator: " "))
    }
}
