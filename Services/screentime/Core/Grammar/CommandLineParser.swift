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
