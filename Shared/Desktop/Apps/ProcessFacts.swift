import STDomain
import STPlatform

/// Facts about a window's process from /proc. Values that are absent or unreadable for this account are `nil`.
package struct ProcessFacts: Sendable, Equatable {
    /// The path of the executable, as the process sees it.
    package var executable: String?
    /// True if the executable was replaced or removed after the start, usually by an update.
    package var isDeleted = false
    /// The beginning of the command line. A process can write anything there.
    package var arguments: [String] = []
    /// The systemd unit that the process was started in: `app-gnome-firefox-1234.scope`.
    package var unit: String?
    package var flatpak: String?
    package var snap: String?
    /// The file of an AppImage.
    package var appImage: String?
    package var steamGame: String?
    /// True if the account can change the executable of this process, or the script that it interprets.
    package var isReplaceable = false
    /// The process ID and the executable's size in bytes. `nil` unless `isReplaceable`.
    var process: Int32?
    var bytes: Int64?

    package init(
        executable: String? = nil,
        isDeleted: Bool = false,
        arguments: [String] = [],
        unit: String? = nil,
        flatpak: String? = nil,
        snap: String? = nil,
        appImage: String? = nil,
        steamGame: String? = nil,
        isReplaceable: Bool = false
    ) {
        self.executable = executable
        self.isDeleted = isDeleted
        self.arguments = arguments
        self.unit = unit
        self.flatpak = flatpak
        self.snap = snap
        self.appImage = appImage
        self.steamGame = steamGame
        self.isReplaceable = isReplaceable
    }

    /// True if no fact is available, because the process has ended or is hidden from this account.
    package var isEmpty: Bool { self == ProcessFacts() }

    private static let argumentsMax = 32

    /// Reads the facts, which takes some tens of microseconds. The result is empty for a process that has ended.
    package static func read(pid: Int32) -> ProcessFacts {
        pid > 0 ? ProcFile.asOwnGroup { readUncached(pid) } : ProcessFacts()
    }

    private static func readUncached(_ pid: Int32) -> ProcessFacts {
        let folder = ProcessFolder(pid)
        var facts = ProcessFacts()
        if let program = folder.program { (facts.executable, facts.isDeleted) = program }
        facts.arguments = Array(folder.arguments.prefix(argumentsMax))
        let groups = folder.cgroups
        facts.unit = unit(in: groups)
        let isBoxed = folder.hasOtherRoot
        facts.snap = snap(in: groups, executable: facts.executable, isBoxed: isBoxed)
        let info = isBoxed ? folder.flatpakInfo ?? "" : ""
        facts.flatpak = flatpak(in: info).flatMap { isFlatpakExecutable($0, facts.executable) ? $0 : nil }
        facts.applyEnvironment(folder)
        facts.isReplaceable = facts.executable != nil && folder.isReplaceable(facts)
        if facts.isReplaceable { (facts.process, facts.bytes) = (pid, folder.programBytes) }
        return facts
    }

    /// Reads the environment, which is long, only if the program's path shows that it can contain a fact.
    private mutating func applyEnvironment(_ folder: ProcessFolder) {
        guard let executable else { return }
        if executable.hasPrefix("/tmp/.mount_") {
            appImage = folder.variable("APPIMAGE").flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        guard executable.contains("/steamapps/") || executable.contains("/Steam/") else { return }
        let number = folder.variable("SteamAppId") ?? folder.variable("SteamGameId")
        steamGame = number.flatMap { text in
            (1...12).contains(text.utf8.count) && text != "0"
                && text.allSatisfy { $0.isASCII && $0.isNumber }
                ? text : nil
        }
    }

    /// The script that an interpreter runs. A process can change its command line, but not the path of its executable.
    package var script: String? {
        guard let program = executable.map(ProgramName.base), ProgramName.isInterpreter(program) else {
            return nil
        }
        return ProgramName.script(of: [program] + arguments.dropFirst())
    }

    // MARK: - Parsing

    /// Returns the innermost unit of an app. The line of cgroup v2, which has nothing between its colons, comes first.
    static func unit(in groups: String) -> String? {
        let lines = groups.split(separator: "\n").filter {
            $0.hasPrefix("0::") || $0.contains(":name=systemd:")
        }
        for line in lines {
            let parts = line.split(separator: "/").reversed()
            if let unit = parts.first(where: { ScopeName.isApp(String($0)) }) { return String(unit) }
        }
        return nil
    }

    /// Returns the snap's name from a unit such as `snap.firefox.firefox-UUID.scope` or `snap.firefox.hook.service`.
    static func snap(in groups: String) -> String? {
        for line in groups.split(separator: "\n") {
            for part in line.split(separator: "/") where part.hasPrefix("snap.") {
                let names = part.split(separator: ".")
                if names.count >= 3, !names[1].isEmpty { return ScopeName.unescaped(String(names[1])) }
            }
        }
        return nil
    }

    /// Returns the snap's name from a path such as `/snap/firefox/4173/usr/lib/firefox/firefox`.
    private static func snapFolder(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard path.hasPrefix("/snap/"), parts.count > 2, parts[1] != "bin" else { return nil }
        return String(parts[1])
    }

    /// Returns the snap of a process. Any program can create a cgroup with such a name. So the name counts only if the program is a
    /// file of a snap or runs in a root of its own.
    static func snap(in groups: String, executable: String?, isBoxed: Bool) -> String? {
        let folder = executable.flatMap(snapFolder)
        // All snaps run programs of the base snaps.
        if let folder, folder != "snapd", folder != "bare", !folder.hasPrefix("core") { return folder }
        let isInside = executable.map { $0.hasPrefix("/snap/") || $0.hasPrefix("/var/lib/snapd/") } ?? false
        return isBoxed || isInside ? snap(in: groups) ?? folder : nil
    }

    /// Returns true if the Flatpak can run this executable: one of its own, of its runtime, or from its folder in the home.
    static func isFlatpakExecutable(_ flatpak: String, _ executable: String?) -> Bool {
        guard let executable else { return true }
        let places = ["/app/", "/usr/", "/bin/", "/lib/", "/lib64/"]
        return places.contains(where: executable.hasPrefix) || executable.contains("/.var/app/\(flatpak)/")
    }

    static func flatpak(in info: String) -> String? {
        var isInside = false
        for line in info.split(separator: "\n") {
            if line.hasPrefix("[") { isInside = line == "[Application]" }
            if isInside, line.hasPrefix("name=") {
                let id = line.dropFirst(5)
                let isID =
                    id.utf8.count <= 255 && id.contains(".")
                    && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
                return isID ? String(id) : nil
            }
        }
        return nil
    }
}

/// Parses the names of systemd units for apps: `app[-launcher]-APPID-RANDOM.scope`, `app[-launcher]-APPID[@RANDOM].service`.
package enum ScopeName {
    static func isApp(_ unit: String) -> Bool {
        unit.hasPrefix("app-") && (unit.hasSuffix(".scope") || unit.hasSuffix(".service"))
    }

    /// Returns possible app IDs of the unit, the most likely one first, because not every launcher escapes a dash as `\x2d`.
    static func candidates(_ unit: String) -> [String] {
        guard isApp(unit), unit.utf8.count <= 512 else { return [] }
        var name = unit.dropFirst(4)
        if name.hasSuffix(".service") {
            name = name.dropLast(8)
            if let at = name.lastIndex(of: "@") { name = name[..<at] }
        } else {
            name = name.dropLast(6)
            guard let dash = name.lastIndex(of: "-") else { return [] }
            name = name[..<dash]
        }
        let parts = name.split(separator: "-").map { unescaped(String($0)) }
        guard let last = parts.last else { return [] }
        var candidates = [last]
        // `gnome-firefox-esr`, if the dash was not escaped: every part after a possible launcher.
        for start in parts.indices.dropLast().reversed() {
            candidates.append(parts[start...].joined(separator: "-"))
        }
        // `dbus\x2d:1.2\x2dorg.gnome.Maps`.
        if last.hasPrefix("dbus-"), let dash = last.lastIndex(of: "-") {
            candidates.append(String(last[last.index(after: dash)...]))
        }
        return candidates.filter { !$0.isEmpty }
    }

    /// Replaces escapes such as `\x2d`, a dash. Invalid escapes stay unchanged.
    package static func unescaped(_ text: String) -> String {
        guard text.contains("\\") else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let code = rest.dropFirst().prefix(3)
            if byte == UInt8(ascii: "\\"), code.count == 3, code.first == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: code.dropFirst(), as: UTF8.self), radix: 16), value != 0
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
