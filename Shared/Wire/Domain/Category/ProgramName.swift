/// Names of executables, and scripts of interpreters.
package enum ProgramName {
    /// The last part of a Unix or Windows path.
    package static func base(_ path: String) -> String {
        let part = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return part.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The folder of a path. Empty if it has none.
    package static func folder(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    /// True for a program that runs other programs: `python3.11`, `java`, `wine64-preloader`, `electron25`.
    package static func isInterpreter(_ name: String) -> Bool {
        let name = name.lowercased()
        // Remove the version: `python3.11`, `electron25`.
        let bare = String(name.reversed().drop { $0.isNumber || $0 == "." || $0 == "-" }.reversed())
        return interpreters.contains(name) || interpreters.contains(bare) || name.hasPrefix("wine")
    }

    private static let interpreters: Set<String> = [
        "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "electron", "java", "javaw", "gjs",
        "gjs-console", "cjs", "cjs-console", "mono", "mono-sgen", "dotnet", "php", "lua", "luajit", "love",
        "guile", "tclsh", "wish", "sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "qml", "qmlscene",
        "gst-launch", "wine", "wine-preloader", "wine64-preloader", "wine64", "proton", "box", "qemu-x86_64",
        "qemu-i386", "ld-linux-x86-64.so", "ld-linux.so", "ld-linux-aarch64.so",
    ]

    /// Options of interpreters that have a separate argument.
    private static let withWord: Set<String> = [
        "-cp", "-classpath", "--class-path", "-p", "--module-path", "-W", "-X",
    ]
    /// Options whose argument is the script: `python3 -m anki`, `java -jar a.jar`.
    private static let runs: Set<String> = ["-m", "-jar", "--module"]

    /// The script in a command line that begins with an interpreter. `nil` for other programs, and if there is no script.
    package static func script(of words: [String]) -> String? {
        guard let first = words.first, isInterpreter(base(first)) else { return nil }
        var rest = words.dropFirst()
        while let word = rest.first {
            rest = rest.dropFirst()
            if runs.contains(word) { return rest.first.flatMap { $0.isEmpty ? nil : $0 } }
            // The argument of these options is program text, not a name.
            if word == "-c" || word == "-e" { return nil }
            if withWord.contains(word) {
                rest = rest.dropFirst()
            } else if !word.hasPrefix("-"), !word.isEmpty, !word.contains("=") {
                return stripped(word)
            }
        }
        return nil
    }

    /// The folder of an Electron app. Electron starts with a folder or an archive that has the same name for every app.
    private static func stripped(_ word: String) -> String {
        var path = word
        while ["app.asar", "app", "resources", "main.js", "index.js", "."].contains(base(path)) {
            let parent = folder(path)
            guard !parent.isEmpty, parent != path else { return word }
            path = parent
        }
        return path
    }

    /// The name without the endings of build tools and interpreters: `soffice.bin`, `game.jar`, `foo.py`.
    package static func plain(_ name: String) -> String {
        var name = base(name)
        for ending in [
            ".bin", ".jar", ".py", ".pyw", ".js", ".sh", ".pl", ".rb", ".real", ".wrapped", "-bin",
            ".AppImage", ".appimage", ".x86_64", ".asar",
        ]
        where name.hasSuffix(ending) && name.utf8.count > ending.utf8.count {
            name.removeLast(ending.count)
            break
        }
        return name
    }

    /// True if two names probably belong to the same program: `gnome-terminal-server` and `gnome-terminal`.
    package static func areRelated(_ one: String, _ other: String) -> Bool {
        let one = plain(one).lowercased()
        let other = plain(other).lowercased()
        if one == other { return true }
        let (short, long) = one.utf8.count < other.utf8.count ? (one, other) : (other, one)
        guard short.utf8.count >= 3, long.hasPrefix(short) else { return false }
        let next = long[long.index(long.startIndex, offsetBy: short.count)]
        return short.utf8.count >= 5 || !next.isLetter
    }
}
