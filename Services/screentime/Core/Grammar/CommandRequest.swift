import STContracts
package import STPlatform

/// A command that the console page requests.
///
/// Subjects and options are separate fields, so no subject can be read as an option.
package struct CommandRequest: WireBody, Codable, Equatable {
    /// The words of the command, for example `limit add`. Empty for the command `screentime`, which shows today.
    package var command: String
    package var subjects: [String]
    /// The values of options by name, without the leading dashes. The value of a switch is empty.
    package var options: [String: String]

    package init(_ command: String, subjects: [String] = [], options: [String: String] = [:]) {
        self.command = command
        self.subjects = subjects
        self.options = options
    }

    package func adding(_ options: [String: String]) -> CommandRequest {
        var request = self
        request.options.merge(options) { $1 }
        return request
    }

    package func parsed() throws(Problem) -> CommandLineParser.Parsed {
        let words = command.split(separator: " ").map(String.init)
        // Guards compare the command's text, so only one spelling is accepted.
        guard let command = Grammar.command(words), self.command == words.joined(separator: " ") else {
            throw CommandSuggestion.explain(words)
        }
        var reader = ArgumentReader(command: command)
        try reader.read(self)
        return .run(command, subjects: reader.subjects, options: reader.options)
    }

    /// The arguments of the equivalent command line, without `screentime`.
    package var arguments: [String] {
        let words = command.split(separator: " ").map(String.init)
        let known = Grammar.command(words)?.options ?? []
        let options = options.sorted { $0.key < $1.key }.flatMap { name, value in
            let option = known.first { $0.name == "--" + name }
            if value.isEmpty, option?.value == nil || option?.isValueOptional == true { return ["--\(name)"] }
            return value.isEmpty || value.hasPrefix("-") ? ["--\(name)=\(value)"] : ["--\(name)", value]
        }
        return subjects.contains { $0.hasPrefix("-") }
            ? words + options + ["--"] + subjects : words + subjects + options
    }
}
