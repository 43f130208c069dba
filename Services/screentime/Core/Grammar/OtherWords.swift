import STPlatform

/// Words that people bring from elsewhere, and the line that does what they mean here.
enum OtherWords {
    private static let lines: [String: String] = [
        "start": "system up", "run": "system up", "up": "system up",
        "stop": "system down", "quit": "system down", "kill": "system down", "down": "system down",
        "today": "report", "usage": "report", "stats": "report", "summary": "report", "show": "report",
        "ps": "status", "health": "status", "info": "status", "services": "status",
        "log": "trace", "logs": "trace", "tail": "trace", "top": "trace --top",
        "call": "bus call", "listen": "bus listen", "describe": "bus describe", "subscribe": "bus listen",
        "backup": "data backup", "members": "member list", "users": "member list", "list": "member list",
        "version": "--version", "apps": "app list", "install": "app install", "uninstall": "app remove",
        "passcode": "member passcode", "password": "member passcode",
    ]

    /// Verbs that people bring from elsewhere, for any noun that has ours.
    private static let verbs = [
        "uninstall": "remove", "delete": "remove", "rm": "remove", "del": "remove", "ls": "list",
        "new": "add", "create": "add", "info": "show", "password": "passcode", "pin": "passcode",
        "allow": "access", "grant": "access", "permit": "access", "deny": "access", "revoke": "access",
    ]

    static func verb(_ word: String, of noun: String) -> String? {
        guard let verb = verbs[word], Grammar.command([noun, verb]) != nil else { return nil }
        return verb
    }

    static func meaning(of words: [String]) -> Problem? {
        guard let first = words.first else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        if ["block", "ban", "forbid", "restrict"].contains(first) {
            let line = "screentime limit add \(rest.isEmpty ? "firefox" : rest) 30m --then shield"
            return NearMiss.notYet(first, line: line)
        }
        if ["grant", "authorize", "permit", "deny", "revoke"].contains(first) {
            let isOff = ["deny", "revoke"].contains(first)
            return meant(first, "app access \(rest.isEmpty ? "APP" : rest) \(isOff ? "off" : "on")")
        }
        if first == "add", !rest.isEmpty { return meant("add", "member add \(rest)") }
        guard let line = lines[first] else { return nil }
        return meant(first, rest.isEmpty || first == "list" ? line : "\(line) \(rest)")
    }

    private static func meant(_ word: String, _ line: String) -> Problem {
        Problem(
            "usage.unknown_word",
            "`\(word)` is written differently here: `screentime \(line)`.",
            help: "screentime \(line)"
        )
    }
}
