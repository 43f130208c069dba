import STPlatform

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

    private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(Problem) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let name = parts[0]
        guard let option = command.options.first(where: { $0.name == name }) else { throw unknown(name) }
        guard options[name] == nil else {
            throw problem("usage.option_twice", "\(name) is given twice; it can be given once.")
        }
        guard let value = option.value else {
            guard parts.count == 1 else {
                throw problem("usage.option_value", "\(name) is a switch and takes no value.")
            }
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
            throw problem("usage.option_value", "\(name) wants a value: \(name) \(value).")
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
            throw problem("usage.subject_extra", "“\(extra)” is one word too many here.")
        }
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
