import STContracts
package import STPlatform

/// Shell completion, generated from the table of commands.
package enum Completion {
    package static let shells = ["bash", "zsh", "fish"]

    package static func script(_ shell: String) throws(Problem) -> String {
        switch shell {
        case "bash": return bash()
        case "zsh": return zsh()
        case "fish": return fish()
        default:
            let list = shells.joined(separator: ", ")
            throw Problem(
                "usage.unknown_shell",
                "Completion is available for \(list, "shells"), but not for “\(shell, "shell")”.",
                help: "screentime help --completion bash"
            )
        }
    }

    private static func bash() -> String {
        var cases = [
            "        \"\") words=\"\((Grammar.firstWords + rootOptions).joined(separator: " "))\" ;;"
        ]
        for noun in Grammar.firstWords where !Grammar.verbs(of: noun).isEmpty {
            let verbs = Grammar.verbs(of: noun).map { $0.words[1] }
            cases.append("        \"\(noun)\") words=\"\(verbs.joined(separator: " "))\" ;;")
        }
        for command in Grammar.shown where !command.words.isEmpty {
            let names = command.options.map(\.name) + ["--help"]
            cases.append("        \"\(path(command))\"*) words=\"\(names.joined(separator: " "))\" ;;")
        }
        var values: [String] = []
        for command in Grammar.shown {
            for option in command.options where !candidates(option).isEmpty {
                let list = candidates(option).joined(separator: " ")
                values.append("        \"\(path(command))\"*\" \(option.name)\") words=\"\(list)\" ;;")
            }
        }
        return """
            # For bash: source <(screentime help --completion bash)
            _screentime() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                local words="" path="" word
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) path="$path $word" ;; esac
                done
                path="${path# }"
                case "$path" in
            \(cases.joined(separator: "\n"))
                esac
                case "$path $previous" in
            \(values.joined(separator: "\n"))
                esac
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            }
            complete -o default -F _screentime screentime
            """
    }

    private static func zsh() -> String {
        let firsts = Grammar.firstWords.map { "'\($0):\(zshText(summary(of: $0)))'" }
        let rootItems = rootOptions.map { "'\($0)'" }
        var verbs: [String] = []
        for noun in Grammar.firstWords where !Grammar.verbs(of: noun).isEmpty {
            let items = Grammar.verbs(of: noun).map { "'\($0.words[1]):\(zshText($0.summary.english))'" }
            verbs.append(
                "        \(noun)) items=(\(items.joined(separator: " "))); _describe verb items; return ;;"
            )
        }
        let arguments = Grammar.shown.filter { !$0.words.isEmpty }.map { command in
            let specs = command.options.map { option in
                let colon = option.isValueOptional ? "::" : ":"
                let value =
                    option.value.map { "\(colon)\($0):(\(candidates(option).joined(separator: " ")))" } ?? ""
                return "'\(option.name)[\(zshText(option.summary.english))]\(value)'"
            }
            let pattern = command.words.count == 2 ? "'\(path(command))'" : "'\(path(command))'*"
            return "        \(pattern)) _arguments \((specs + ["'*:file:_files'"]).joined(separator: " ")) ;;"
        }
        return """
            #compdef screentime
            # For zsh: screentime help --completion zsh > a directory of $fpath, as _screentime
            _screentime() {
                local -a items
                if (( CURRENT == 2 )); then
                    items=(\((firsts + rootItems).joined(separator: " ")))
                    _describe command items
                    return
                fi
                if (( CURRENT == 3 )); then
                    case $words[2] in
            \(verbs.joined(separator: "\n"))
                    esac
                fi
                case "$words[2] $words[3]" in
            \(arguments.joined(separator: "\n"))
                esac
            }
            _screentime "$@"
            """
    }

    private static func fish() -> String {
        var lines = [
            "# For fish: screentime help --completion fish > ~/.config/fish/completions/screentime.fish",
            "complete -c screentime -f",
        ]
        for word in Grammar.firstWords {
            lines.append(
                "complete -c screentime -n __fish_use_subcommand -a \(word) -d '\(quoted(summary(of: word)))'"
            )
        }
        for option in rootOptions {
            lines.append("complete -c screentime -n __fish_use_subcommand -l \(option.dropFirst(2))")
        }
        for command in Grammar.shown where !command.words.isEmpty {
            var condition = "__fish_seen_subcommand_from \(command.words[0])"
            if command.words.count == 2 {
                let verbs = Grammar.verbs(of: command.words[0]).map { $0.words[1] }.joined(separator: " ")
                lines.append(
                    "complete -c screentime -n '\(condition); and not __fish_seen_subcommand_from \(verbs)' "
                        + "-a \(command.words[1]) -d '\(quoted(command.summary.english))'"
                )
                condition += "; and __fish_seen_subcommand_from \(command.words[1])"
            }
            for option in command.options {
                let values = candidates(option).joined(separator: " ")
                let isAlone = option.value == nil || option.isValueOptional
                let value = isAlone ? "" : values.isEmpty ? " -r" : " -x -a '\(values)'"
                lines.append(
                    "complete -c screentime -n '\(condition)' -l \(option.name.dropFirst(2))\(value) "
                        + "-d '\(quoted(option.summary.english))'"
                )
            }
        }
        return lines.joined(separator: "\n")
    }

    private static var rootOptions: [String] { (Grammar.command([])?.options.map(\.name) ?? []) + ["--help"] }

    private static func path(_ command: Command) -> String { command.words.joined(separator: " ") }

    /// Returns the possible values of an option if they are a known set, for example `app|site|member` or the services.
    private static func candidates(_ option: Command.Option) -> [String] {
        guard let value = option.value else { return [] }
        if value == "SERVICE" { return ServiceName.all.map(\.rawValue) }
        return value.contains("|") ? value.split(separator: "|").map(String.init) : []
    }

    private static func summary(of word: String) -> String {
        if let command = Grammar.command([word]) { return command.summary.english }
        return Grammar.verbs(of: word).map { $0.words[1] }.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        text.map { $0 == "'" ? "’" : String($0) }.joined()
    }

    private static func zshText(_ text: String) -> String {
        quoted(text).map { ":[]".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
