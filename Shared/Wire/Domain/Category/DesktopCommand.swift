/// What a desktop entry starts, as far as it tells one program from another.
package struct DesktopCommand: Sendable, Equatable {
    /// As it stands there: a name, or a path.
    ///
    /// Of `python3 /opt/a/game.py` that is the script.
    package var program: String
    /// What runs it, where it is no program by itself.
    package var interpreter: String?
    /// The number of a game that Steam runs.
    package var steamGame: String?
    /// A site in a window of its own, which a browser shows.
    package var isWebApp = false

    private static let wordsMax = 40
    private static let wrappers: Set<String> = [
        "env", "nice", "ionice", "gamemoderun", "mangohud", "prime-run", "pkexec", "setsid", "nohup", "exec",
        "sudo", "gksu", "kdesu", "dbus-run-session", "optirun", "primusrun", "taskset", "stdbuf",
        "systemd-run", "systemd-cat", "switcherooctl", "launch", "firejail", "sg",
    ]

    /// Nil when it says nothing.
    package init?(_ exec: String) {
        guard exec.utf8.count <= 4096 else { return nil }
        let words = Self.words(exec)
        var rest = words[...]
        while let word = rest.first, let more = Self.skipped(word) {
            rest = rest.dropFirst(1)
            if more {
                while let option = rest.first, option.hasPrefix("-") || option.contains("=") {
                    rest = rest.dropFirst()
                }
            }
        }
        guard let first = rest.first, !first.isEmpty, DesktopText.isHarmless(first) else { return nil }
        program = first
        steamGame = words.lazy.compactMap(Self.steamGame).first
        isWebApp = words.contains { $0.hasPrefix("--app-id=") || $0.hasPrefix("--app=") }
        guard let script = ProgramName.script(of: Array(rest)) else { return }
        interpreter = first
        program = script
    }

    /// Nil for the program itself; else whether options follow that are not the program's.
    private static func skipped(_ word: String) -> Bool? {
        if wrappers.contains(ProgramName.base(word)) { return true }
        return word.contains("=") && !word.contains("/") ? false : nil
    }

    private static func steamGame(_ word: String) -> String? {
        let prefix = "steam://rungameid/"
        guard word.hasPrefix(prefix) else { return nil }
        let number = word.dropFirst(prefix.count)
        return !number.isEmpty && number.utf8.count <= 20 && number.allSatisfy { $0.isASCII && $0.isNumber }
            ? String(number) : nil
    }

    /// By the quoting of desktop entries; field codes such as `%U` are no words.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        var hasWord = false
        for character in text.unicodeScalars {
            if words.count >= wordsMax { break }
            if isEscaped {
                word.unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
                hasWord = true
            } else if character == "\"" {
                isQuoted.toggle()
                hasWord = true
            } else if character == " " && !isQuoted {
                if hasWord { words.append(word) }
                word = ""
                hasWord = false
            } else {
                word.unicodeScalars.append(character)
                hasWord = true
            }
        }
        if hasWord { words.append(word) }
        return words.filter { !($0.utf8.count == 2 && $0.hasPrefix("%")) }
    }
}
