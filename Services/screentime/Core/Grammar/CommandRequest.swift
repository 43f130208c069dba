package import STContracts
package import STPlatform

/// A command as the page asks for it: no part of it can be taken for another.
package struct CommandRequest: WireBody, Codable, Equatable {
    /// The words of the command, such as `limit add`. Empty for the overview of the day.
    package var command: String
    package var subjects: [String]
    /// By name, without the dashes. A switch has the value "".
    package var options: [String: String]

    package init(_ command: String, _ subjects: [String] = [], _ options: [String: String] = [:]) {
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
        guard let command = Grammar.command(words) else { throw NearMiss.explain(words) }
        var reader = ArgumentReader(command: command)
        try reader.read(self)
        return .run(command, subjects: reader.subjects, options: reader.options)
    }

    /// The same as a person types it.
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
