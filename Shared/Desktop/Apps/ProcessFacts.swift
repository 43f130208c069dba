import Glibc
import STDomain
import STPlatform

/// What /proc says of the process behind a window; nil is what it does not say, or not to us.
package struct ProcessFacts: Sendable, Equatable {
    /// Where its executable is, as the process sees it.
    package var executable: String?
    /// It was replaced or removed since: an update, mostly.
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

    package init(
        executable: String? = nil,
        isDeleted: Bool = false,
        arguments: [String] = [],
        unit: String? = nil,
        flatpak: String? = nil,
        snap: String? = nil,
        appImage: String? = nil,
        steamGame: String? = nil
    ) {
        self.executable = executable
        self.isDeleted = isDeleted
        self.arguments = arguments
        self.unit = unit
        self.flatpak = flatpak
        self.snap = snap
        self.appImage = appImage
        self.steamGame = steamGame
    }

    /// Nothing is known: it has ended, or it is hidden from us.
    package var isEmpty: Bool { self == ProcessFacts() }

    private static let argumentsBytesMax = 4 * 1024
    private static let argumentsMax = 32
    private static let environmentBytesMax = 64 * 1024
    private static let cgroupBytesMax = 8 * 1024
    private static let infoBytesMax = 8 * 1024
    private static let pathBytesMax = 4 * 1024
    private static let deleted = " (deleted)"

    /// Some tens of microseconds; of a process that is gone nothing is known.
    package static func read(pid: Int32) -> ProcessFacts {
        guard pid > 0 else { return ProcessFacts() }
        var facts = ProcessFacts()
        let folder = "/proc/\(pid)"
        facts.take(executable: link("\(folder)/exe"))
        let words = text("\(folder)/cmdline", argumentsBytesMax).split(separator: "\0").prefix(argumentsMax)
        facts.arguments = words.map(String.init)
        let groups = text("\(folder)/cgroup", cgroupBytesMax)
        facts.unit = unit(in: groups)
        let isBoxed = hasOtherRoot(folder)
        facts.snap = snap(in: groups, executable: facts.executable, isBoxed: isBoxed)
        let info = isBoxed ? text("\(folder)/root/.flatpak-info", infoBytesMax) : ""
        facts.flatpak = flatpak(in: info).flatMap { isOf($0, facts.executable) ? $0 : nil }
        facts.takeEnvironment(folder)
        return facts
    }

    private mutating func take(executable path: String?) {
        guard let path else { return }
        isDeleted = path.hasSuffix(Self.deleted)
        executable = isDeleted ? String(path.dropLast(Self.deleted.count)) : path
    }

    /// Only where it can say something, as it is long.
    private mutating func takeEnvironment(_ folder: String) {
        guard let executable else { return }
        let isImage = executable.hasPrefix("/tmp/.mount_")
        let isGame = executable.contains("/steamapps/") || executable.contains("/Steam/")
        guard isImage || isGame else { return }
        let words = Self.text("\(folder)/environ", Self.environmentBytesMax).split(separator: "\0")
        let value = { (name: String) in
            words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        if isImage { appImage = value("APPIMAGE").flatMap { $0.hasPrefix("/") ? $0 : nil } }
        if isGame {
            let number = value("SteamAppId") ?? value("SteamGameId")
            steamGame = number.flatMap { text in
                (1...12).contains(text.utf8.count) && text != "0"
                    && text.allSatisfy { $0.isASCII && $0.isNumber }
                    ? text : nil
            }
        }
    }

    // MARK: - What stands in the files

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

    /// Anybody may call a group so: it counts only where the program is one of a snap's, or runs in a root of its own.
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

    /// Whether what lies at `/` for the process is something else than for us.
    private static func hasOtherRoot(_ folder: String) -> Bool {
        var root = stat()
        var own = stat()
        guard stat("\(folder)/root/", &root) == 0, stat("/", &own) == 0 else { return false }
        return root.st_dev != own.st_dev || root.st_ino != own.st_ino
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

    // MARK: - Reading

    private static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: pathBytesMax)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The beginning of a file; empty when it cannot be read.
    private static func text(_ path: String, _ limit: Int) -> String {
        // In a sandbox's own root anything may lie under that name: a pipe must not hold us up.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard number >= 0 else { return "" }
        let owned = OwnedDescriptor(number)
        var info = stat()
        guard fstat(owned.number, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return "" }
        var buffer = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = buffer.withUnsafeMutableBytes {
                Glibc.read(owned.number, $0.baseAddress.map { $0 + filled }, limit - filled)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            filled += count
        }
        return String(decoding: buffer[..<filled], as: UTF8.self)
    }
}

/// Names of systemd's units for apps: `app[-launcher]-APPID-RANDOM.scope`, `app[-launcher]-APPID[@RANDOM].service`.
enum ScopeName {
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
    static func unescaped(_ text: String) -> String {
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
