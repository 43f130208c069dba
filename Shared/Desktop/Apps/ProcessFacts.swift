import STDomain
import STPlatform

/// What /proc says about the process behind a window; nil is what it does not say, or not to this account.
package struct ProcessFacts: Sendable, Equatable {
    /// Where its executable is, as the process sees it.
    package var executable: String?
    /// It has been replaced or removed since, mostly by an update.
    package var isDeleted = false
    /// Its command line, as far as it was read; a process may write what it likes there.
    package var arguments: [String] = []
    /// `app-gnome-firefox-1234.scope`: the unit of systemd that it was started in.
    package var unit: String?
    package var flatpak: String?
    package var snap: String?
    /// The file of an AppImage.
    package var appImage: String?
    package var steamGame: String?
    /// Whether the account can change the executable of this process, or the script that it interprets.
    package var isReplaceable = false
    /// The process id and the executable's size in bytes. Nil unless `isReplaceable`.
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

    /// Nothing is known: it has ended, or it is hidden from us.
    package var isEmpty: Bool { self == ProcessFacts() }

    private static let argumentsMax = 32

    /// Takes some tens of microseconds; nothing is known of a process that has ended.
    package static func read(pid: Int32) -> ProcessFacts {
        pid > 0 ? ProcFile.asOwnGroup { seen(pid) } : ProcessFacts()
    }

    private static func seen(_ pid: Int32) -> ProcessFacts {
        let folder = ProcessFolder(pid)
        var facts = ProcessFacts()
        if let program = folder.program { (facts.executable, facts.isDeleted) = program }
        facts.arguments = Array(folder.arguments.prefix(argumentsMax))
        let groups = folder.cgroups
        facts.unit = unit(in: groups)
        let isBoxed = folder.hasOtherRoot
        facts.snap = snap(in: groups, executable: facts.executable, isBoxed: isBoxed)
        let info = isBoxed ? folder.flatpakInfo ?? "" : ""
        facts.flatpak = flatpak(in: info).flatMap { isOf($0, facts.executable) ? $0 : nil }
        facts.takeEnvironment(folder)
        facts.isReplaceable = facts.executable != nil && folder.isReplaceable(facts)
        if facts.isReplaceable { (facts.process, facts.bytes) = (pid, folder.programBytes) }
        return facts
    }

    /// Reads the environment, which is long, only of programs where it can tell something.
    private mutating func takeEnvironment(_ folder: ProcessFolder) {
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

    // MARK: - What the files say

    /// The innermost unit that was made for an app; of v2 first, which has a line with nothing between its colons.
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

    /// `snap.firefox.firefox-UUID.scope`, `snap.firefox.hook.service`.
    static func snap(in groups: String) -> String? {
        for line in groups.split(separator: "\n") {
            for part in line.split(separator: "/") where part.hasPrefix("snap.") {
                let names = part.split(separator: ".")
                if names.count >= 3, !names[1].isEmpty { return ScopeName.unescaped(String(names[1])) }
            }
        }
        return nil
    }

    /// `/snap/firefox/4173/usr/lib/firefox/firefox`.
    private static func snapFolder(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard path.hasPrefix("/snap/"), parts.count > 2, parts[1] != "bin" else { return nil }
        return String(parts[1])
    }

    /// Any program may give a group such a name: it counts only where the program is one of a snap's, or runs in a root
    /// of its own.
    static func snap(in groups: String, executable: String?, isBoxed: Bool) -> String? {
        let folder = executable.flatMap(snapFolder)
        // Programs of the base are run by all snaps.
        if let folder, folder != "snapd", folder != "bare", !folder.hasPrefix("core") { return folder }
        let isInside = executable.map { $0.hasPrefix("/snap/") || $0.hasPrefix("/var/lib/snapd/") } ?? false
        return isBoxed || isInside ? snap(in: groups) ?? folder : nil
    }

    /// The program's own, the runtime's, or what it has put into its folder in the home.
    static func isOf(_ flatpak: String, _ executable: String?) -> Bool {
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

/// Names of systemd's units for apps: `app[-launcher]-APPID-RANDOM.scope`, `app[-launcher]-APPID[@RANDOM].service`.
package enum ScopeName {
    static func isApp(_ unit: String) -> Bool {
        unit.hasPrefix("app-") && (unit.hasSuffix(".scope") || unit.hasSuffix(".service"))
    }

    /// What may be its app's id, the most likely one first: not every launcher writes a dash as `\x2d`.
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
        // `gnome-firefox-esr` where the dash was not written so: all that may stand behind a launcher.
        for start in parts.indices.dropLast().reversed() {
            candidates.append(parts[start...].joined(separator: "-"))
        }
        // `dbus\x2d:1.2\x2dorg.gnome.Maps`.
        if last.hasPrefix("dbus-"), let dash = last.lastIndex(of: "-") {
            candidates.append(String(last[last.index(after: dash)...]))
        }
        return candidates.filter { !$0.isEmpty }
    }

    /// `\x2d` is a dash; what is no such code stays.
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
