import STContracts
import STPlatform

/// Explains words that are not a command, and suggests the line that was probably meant.
enum CommandSuggestion {
    static func explain(_ words: [String]) -> Problem {
        guard let first = words.first else { return unknown("", near: nil) }
        if !Grammar.verbs(of: first).isEmpty { return wrongVerb(first, words) }
        if let other = CommandSynonyms.meaning(of: words) { return other }
        let near = TextFormat.closest(to: first, in: Grammar.firstWords)
        return unknown(first, near: near.map { ([$0] + words.dropFirst()).joined(separator: " ") })
    }

    private static func wrongVerb(_ noun: String, _ words: [String]) -> Problem {
        let verbs = Grammar.verbs(of: noun).map { $0.words[1] }
        let list = verbs.map { "\(noun) \($0)" }.joined(separator: ", ")
        guard words.count > 1 else {
            return Problem(
                "usage.verb_missing",
                "`\(noun, "noun")` is not a complete command. The commands are: \(list, "list").",
                help: "screentime \(noun) --help"
            )
        }
        let verb = words[1]
        func meant(_ line: String) -> Problem {
            Problem(
                "usage.unknown_verb",
                """
                `\(noun, "noun") \(verb, "verb")` is not a command. Did you mean `\(line, "line")`? The \
                commands are: \(list, "list").
                """,
                key: "usage.unknown_verb.is-not-known",
                help: line
            )
        }
        // `rule` lists and removes rules of any kind. Each kind has its own command for editing.
        let kinds =
            noun == "rule" && !Grammar.verbs(of: noun).contains { $0.words[1] == verb }
            ? RuleKind.allCases.map { "\($0.rawValue) \(verb)" }.filter(present().contains) : []
        if let kind = kinds.first {
            let list = kinds.joined(separator: ", ")
            return Problem(
                "usage.unknown_verb",
                """
                `\(noun, "noun") \(verb, "verb")` is not a command. Did you mean `\(kind, "kind")`? The \
                commands are: \(list, "list").
                """,
                help: (["screentime", kind] + words.dropFirst(2)).joined(separator: " ")
            )
        }
        if ["resume", "unpause"].contains(verb), Grammar.command([noun, "edit"]) != nil || noun == "rule" {
            let line = "screentime rule pause \(words.count > 2 ? words[2] : "NAME") --end"
            return meant(line)
        }
        let near = CommandSynonyms.verb(verb, of: noun) ?? TextFormat.closest(to: verb, in: verbs)
        let isVerb = ["list", "show", "add", "edit", "remove", "set", "change"].contains(verb)
        if near == nil, !isVerb, verbs.contains("add") {
            let line = added(noun, Array(words.dropFirst()))
            return meant(line)
        }
        return Problem(
            "usage.unknown_verb",
            text: near.map {
                Message(
                    "usage.unknown_verb.did-you-mean",
                    """
                    `\(noun, "noun") \(verb, "verb")` is not a command. Did you mean `\(noun, "noun") \
                    \($0, "near")`?
                    """
                )
            }
                ?? Message(
                    "usage.unknown_verb.the-commands-are",
                    "`\(noun, "noun") \(verb, "verb")` is not a command. The commands are: \(list, "list")."
                ),
            help: near.map { (["screentime", noun, $0] + words.dropFirst(2)).joined(separator: " ") }
                ?? "screentime \(noun) --help"
        )
    }

    /// Returns an `add` command for the words. A duration or a time window among them is moved to the end, as `add` requires.
    static func added(_ noun: String, _ words: [String]) -> String {
        var words = words
        let isTime = { (word: String) in TextFormat.durationMs(word) != nil || WindowText.read(word) != nil }
        if let last = words.last, !isTime(last), let place = words.firstIndex(where: isTime) {
            words.append(words.remove(at: place))
        }
        return (["screentime", noun, "add"] + words).joined(separator: " ")
    }

    private static func unknown(_ word: String, near: String?) -> Problem {
        guard let near else {
            let list = Grammar.firstWords.joined(separator: ", ")
            return Problem(
                "usage.unknown_word",
                "“\(word, "word")” is not a command. The commands are: \(list, "list").",
                key: "usage.unknown_word.the-commands-are",
                help: "screentime help"
            )
        }
        return Problem(
            "usage.unknown_word",
            "“\(word, "word")” is not a command. Did you mean `\(near, "near")`?",
            help: "screentime \(near)"
        )
    }

    private static func present() -> [String] {
        Grammar.commands.filter { !$0.words.isEmpty }.map { $0.words.joined(separator: " ") }
    }
}

/// Words from other programs, and the commands of Screen Time with the same meaning.
enum CommandSynonyms {
    private static let lines: [String: String] = [
        "start": "system up", "run": "system up", "up": "system up",
        "settings": "setup", "config": "setup", "configure": "setup", "init": "setup",
        "open": "console", "page": "console", "web": "console", "gui": "console", "dashboard": "console",
        "stop": "system down", "quit": "system down", "kill": "system down", "down": "system down",
        "today": "report", "usage": "report", "stats": "report", "summary": "report", "show": "report",
        "ps": "status", "health": "status", "info": "status", "services": "status",
        "log": "trace", "logs": "trace", "tail": "trace", "top": "trace --top",
        "call": "bus call", "listen": "bus listen", "describe": "bus describe", "subscribe": "bus listen",
        "backup": "data backup", "members": "member list", "users": "member list", "list": "member list",
        "version": "--version", "apps": "app list", "install": "app install", "uninstall": "system disable",
        "passcode": "member passcode", "password": "member passcode",
        "rules": "rule list", "limits": "limit list", "goals": "goal list",
        "preview": "shield preview firefox", "shields": "shield list",
        "notifications": "notification list", "unblock": "rule remove", "unlimit": "rule remove",
        "pause": "rule pause evening --for 1h",
        "requests": "request list", "approve": "request approve", "ask": "request add",
        "more": "request add", "choose": "pick", "select": "pick", "picker": "pick",
        "search": "pick --search", "find": "pick --search",
    ]

    /// Verbs from other programs, for every noun that has the verb on the right.
    private static let verbs = [
        "uninstall": "remove", "delete": "remove", "rm": "remove", "del": "remove", "ls": "list",
        "draw": "preview", "render": "preview", "history": "list", "new": "add", "create": "add",
        "info": "show", "password": "passcode", "pin": "passcode",
        "start": "up", "run": "up", "stop": "down", "quit": "down",
        "allow": "access", "grant": "access", "permit": "access", "deny": "access", "revoke": "access",
    ]

    /// The same for `request`, for which some of these verbs answer a request.
    private static let answers = [
        "grant": "approve", "allow": "approve", "accept": "approve", "permit": "approve", "yes": "approve",
        "refuse": "deny", "reject": "deny", "no": "deny", "cancel": "revoke", "withdraw": "revoke",
        "undo": "revoke", "ask": "add", "totp": "code", "rule": "edit",
    ]

    static func verb(_ word: String, of noun: String) -> String? {
        let changes = ["edit", "change", "set"]
        let known = [(noun == "request" ? answers[word] : nil) ?? verbs[word]].compactMap(\.self)
        return (known + (changes.contains(word) ? ["edit", "set"] : [])).first {
            Grammar.command([noun, $0]) != nil
        }
    }

    /// Returns true for the name of a request, for example `R7`.
    private static func isRequest(_ word: String) -> Bool {
        guard let first = word.first, first == "R" || first == "r", word.count > 1 else { return false }
        return word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func ownVerb(_ word: String) -> String? {
        Grammar.command(["request", word]) == nil ? nil : word
    }

    static func meaning(of words: [String]) -> Problem? {
        guard let first = words.first else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        if ["block", "ban", "forbid", "restrict"].contains(first) { return block(words) }
        if ["resume", "unpause"].contains(first), words.count > 1 {
            return suggestion(first, "rule pause \(words[1]) --end")
        }
        if first == "pause", words.count > 1 {
            let time = words.dropFirst(2).first { TextFormat.durationMs($0) != nil } ?? "1h"
            return suggestion("pause", "rule pause \(words[1]) --for \(time)")
        }
        if words.count > 1, isRequest(words[1]), let verb = verb(first, of: "request") ?? ownVerb(first) {
            return suggestion(first, "request \(verb) \(rest)")
        }
        if ["grant", "authorize", "permit", "deny", "revoke"].contains(first) {
            let isOff = ["deny", "revoke"].contains(first)
            return suggestion(first, "app access \(rest.isEmpty ? "APP" : rest) \(isOff ? "off" : "on")")
        }
        if first == "add", !rest.isEmpty { return suggestion("add", "member add \(rest)") }
        if first == "preview", !rest.isEmpty { return suggestion(first, "shield preview \(rest)") }
        guard let line = lines[first] else { return nil }
        // In `limits list` and `limits add firefox 1h`, only the noun differs.
        if words.count > 1, let noun = line.split(separator: " ").first,
            Grammar.command([String(noun), words[1]]) != nil
        {
            return suggestion(first, "\(noun) \(rest)")
        }
        return suggestion(first, rest.isEmpty || first == "list" ? line : "\(line) \(rest)")
    }

    /// Suggests a limit with a shield, because Screen Time has no command that blocks an app permanently.
    private static func block(_ words: [String]) -> Problem {
        var rest = Array(words.dropFirst())
        if rest.isEmpty { rest = ["firefox"] }
        if !rest.contains(where: { TextFormat.durationMs($0) != nil }) { rest.append("30m") }
        let line = CommandSuggestion.added("limit", rest).dropFirst("screentime ".count)
        return suggestion(words[0], "\(line) --then shield")
    }

    private static func suggestion(_ word: String, _ line: String) -> Problem {
        Problem(
            "usage.unknown_word",
            "There is no command `\(word, "word")`. Use `screentime \(line, "line")`.",
            key: "usage.unknown_word.is-written-differently",
            help: "screentime \(line)"
        )
    }
}
