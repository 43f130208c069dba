/// One program's entry in the freedesktop menu.
package struct DesktopEntry: Sendable, Equatable {
    /// The name of its file without the extension, which most desktops use as the program's name.
    package var id: String
    package var name: String
    /// The names in other requested languages.
    package var names: [String: String]
    /// The generic names of the program, in its own language and the requested ones, such as `Web Browser`.
    package var kinds: [String]
    /// The name of an icon, or the path of a picture.
    package var icon: String?
    package var categories: [String]
    /// The class of its windows, if it differs from the id.
    package var windowClass: String?
    /// True if menus leave it out. It can still be the foreground app.
    package var isHidden: Bool
    /// True if the entry only marks a program as removed.
    package var isDeleted: Bool
    package var command: DesktopCommand?
    /// The id of the Flatpak.
    package var flatpak: String?
    /// The name of the snap to which it belongs.
    package var snap: String?

    /// LibreOffice's entry, with all its languages, has about 60 KiB.
    package static let bytesMax = 256 * 1024
    package static let textBytesMax = 256
    private static let categoriesMax = 40

    /// Parses an entry. Fails for a link, a folder or an invalid file.
    ///
    /// Keeps names in its own language and in those of `languages`, such as `ko` or `pt_BR`. A file often has a hundred.
    package init?(id: String, _ bytes: [UInt8], languages: [String] = ["ko"]) {
        guard !id.isEmpty, id.utf8.count <= Self.textBytesMax, bytes.count <= Self.bytesMax,
            DesktopText.isSafe(id)
        else { return nil }
        let spellings = languages.map { ($0, Self.spellings(of: $0)) }
        guard let lines = DesktopEntryLines(bytes, languages: spellings.flatMap(\.1)) else { return nil }
        guard lines["Type"] == "Application", let name = lines["Name"].flatMap(DesktopText.plain) else {
            return nil
        }
        self.id = id
        self.name = name
        names = [:]
        for (language, spellings) in spellings {
            let text = spellings.lazy.compactMap { lines["Name[\($0)]"] }.first
            names[language] = text.flatMap(DesktopText.plain)
        }
        kinds = (["GenericName"] + spellings.flatMap(\.1).map { "GenericName[\($0)]" }).compactMap {
            lines[$0].flatMap(DesktopText.plain)
        }
        icon = lines["Icon"].flatMap(DesktopText.plain)
        categories = (lines["Categories"] ?? "").split(separator: ";").prefix(Self.categoriesMax).map(
            String.init
        )
        windowClass = lines["StartupWMClass"].flatMap(DesktopText.plain)
        isHidden = lines["NoDisplay"] == "true"
        isDeleted = lines["Hidden"] == "true"
        command = lines["Exec"].flatMap(DesktopCommand.init) ?? lines["TryExec"].flatMap(DesktopCommand.init)
        flatpak = lines["X-Flatpak"].flatMap(DesktopText.plain)
        snap = lines["X-SnapInstanceName"].flatMap(DesktopText.plain)
    }

    /// The ways in which a file may write a language, the most specific first: `ca_ES@valencia` may also be `ca`.
    package static func spellings(of language: String) -> [String] {
        let language = language.prefix(35)
        let main = language.prefix { $0 != "@" }.prefix { $0 != "." }.map { $0 == "-" ? "_" : $0 }
        let locale = String(main)
        let modifier = language.firstIndex(of: "@").map { String(language[$0...]) }
        let short = locale.prefix { $0 != "_" }
        var spellings: [String] = []
        if let modifier { spellings.append(locale + modifier) }
        spellings.append(locale)
        if let modifier { spellings.append(short + modifier) }
        spellings.append(String(short))
        var seen: Set<String> = []
        return spellings.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}

/// The needed lines of a desktop entry's main group. All others are skipped as bytes.
struct DesktopEntryLines {
    private static let keys: Set<String> = [
        "Type", "Name", "GenericName", "Icon", "Categories", "StartupWMClass", "NoDisplay", "Hidden", "Exec",
        "TryExec",
        "X-Flatpak", "X-SnapInstanceName",
    ]
    private static let longestKey = 64
    private static let group = Array("[Desktop Entry]".utf8)

    private var values: [String: String] = [:]

    /// Parses a file. Fails if the bytes are not UTF-8.
    init?(_ bytes: [UInt8], languages: [String]) {
        guard bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else { return nil }
        let wanted = Self.keys.union(languages.flatMap { ["Name[\($0)]", "GenericName[\($0)]"] })
        var isInside = false
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = Self.trimmed(line)
            if line.first == UInt8(ascii: "[") {
                // Further groups are actions of the same program.
                if isInside { break }
                isInside = line.elementsEqual(Self.group)
                continue
            }
            guard isInside, let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = Self.trimmed(line[..<equals])
            guard key.count <= Self.longestKey else { continue }
            let name = String(decoding: key, as: UTF8.self)
            guard wanted.contains(name), values[name] == nil else { continue }
            values[name] = String(decoding: Self.trimmed(line[(equals + 1)...]), as: UTF8.self)
        }
    }

    subscript(_ key: String) -> String? { values[key] }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let first = line.first, isBlank(first) { line.removeFirst() }
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

/// Makes texts of desktop entries safe to show, because any program can write one.
enum DesktopText {
    /// A short text without escapes, control characters and bidirectional controls. `nil` if nothing is left.
    static func plain(_ text: String) -> String? {
        // A name is never that long. The limit below applies to the remaining text.
        guard text.utf8.count <= DesktopEntry.textBytesMax * 4 else { return nil }
        var result = String.UnicodeScalarView()
        var bytes = 0
        var isEscaped = false
        for scalar in text.unicodeScalars {
            var scalar = scalar
            if isEscaped {
                // Line ends and tabs in a name become blanks.
                scalar = scalar == "\\" ? scalar : " "
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
                continue
            } else if isUnsafe(scalar) {
                continue
            }
            result.append(scalar)
            bytes += UTF8.width(scalar)
            if bytes > DesktopEntry.textBytesMax { return nil }
        }
        let name = String(result)
        return name.contains { !$0.isWhitespace } ? name : nil
    }

    static func isSafe(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isUnsafe) }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        // The joiners of emoji and of Persian words are harmless.
        case 0x200C, 0x200D: false
        // Tags can hide text.
        case 0xE0000...0xE007F: true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
            default: false
            }
        }
    }
}

/// The program that a desktop entry starts, as far as it is needed to identify the program.
package struct DesktopCommand: Sendable, Equatable {
    /// The name or path of the program, as written in the entry.
    ///
    /// For `python3 /opt/a/game.py` that is the script.
    package var program: String
    /// The interpreter, if the program is a script.
    package var interpreter: String?
    /// The number of a game that Steam runs.
    package var steamGame: String?
    /// True if a browser shows a site in its own window.
    package var isWebApp = false

    private static let wordsMax = 40
    private static let wrappers: Set<String> = [
        "env", "nice", "ionice", "gamemoderun", "mangohud", "prime-run", "pkexec", "setsid", "nohup", "exec",
        "sudo", "gksu", "kdesu", "dbus-run-session", "optirun", "primusrun", "taskset", "stdbuf",
        "systemd-run", "systemd-cat", "switcherooctl", "launch", "firejail", "sg",
    ]

    /// Parses an `Exec` line. Fails if it names no program.
    package init?(_ exec: String) {
        guard exec.utf8.count <= 4096 else { return nil }
        let words = Self.words(exec)
        var rest = words[...]
        while let word = rest.first, let more = Self.isWrapper(word) {
            rest = rest.dropFirst(1)
            if more {
                while let option = rest.first, option.hasPrefix("-") || option.contains("=") {
                    rest = rest.dropFirst()
                }
            }
        }
        guard let first = rest.first, !first.isEmpty, DesktopText.isSafe(first) else { return nil }
        program = first
        steamGame = words.lazy.compactMap(Self.steamGame).first
        isWebApp = words.contains { $0.hasPrefix("--app-id=") || $0.hasPrefix("--app=") }
        guard let script = ProgramName.script(of: Array(rest)) else { return }
        interpreter = first
        program = script
    }

    /// `nil` for the program itself. For a wrapper or a variable, true if options follow that are not the program's.
    private static func isWrapper(_ word: String) -> Bool? {
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

    /// Splits a line by the quoting rules of desktop entries. Field codes such as `%U` are left out.
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
