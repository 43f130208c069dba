/// A unit of systemd that was made for one app: `app-gnome-firefox-1234.scope`, `snap.firefox.firefox-….scope`.
package struct AppScope: Sendable, Hashable {
    /// From the root of the hierarchy.
    package var cgroup: String
    package var unit: String

    /// The innermost one of a process's cgroup; nil when it is in none.
    package init?(cgroup: String) {
        let parts = cgroup.split(separator: "/").map(String.init)
        guard let index = parts.lastIndex(where: Self.isApp) else { return nil }
        unit = parts[index]
        self.cgroup = "/" + parts[...index].joined(separator: "/")
    }

    private static func isApp(_ unit: String) -> Bool {
        guard unit.hasSuffix(".scope") || unit.hasSuffix(".service") else { return false }
        return unit.hasPrefix("app-") || unit.hasPrefix("snap.") || unit.hasPrefix("flatpak-")
            || unit.hasPrefix("dbus-:")
    }

    /// Whether the unit's name says that it was made for this app.
    package func isMade(for app: String) -> Bool {
        let wanted = app.lowercased()
        let short = wanted.split(separator: ".").last.map(String.init) ?? wanted
        return names.contains {
            $0 == wanted || $0 == short || $0.split(separator: ".").last.map(String.init) == wanted
        }
    }

    /// What may be the app's id in it: `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service`,
    /// `snap.NAME.APP-….scope`, `dbus-:1.2-ID@0.service`.
    private var names: [String] {
        let dot = unit.lastIndex(of: ".") ?? unit.endIndex
        var stem = unit[..<dot]
        if unit.hasPrefix("snap.") {
            let parts = stem.split(separator: ".", maxSplits: 2).map { $0.prefix { $0 != "-" } }
            guard parts.count > 2 else { return [] }
            return ["\(parts[1])_\(parts[2])", "\(parts[1])", "\(parts[2])"].map { Self.plain($0[...]) }
        }
        if let at = stem.firstIndex(of: "@") {
            stem = stem[..<at]
        } else if unit.hasSuffix(".scope"), let dash = stem.lastIndex(of: "-") {
            stem = stem[..<dash]
        }
        let words = stem.split(separator: "-").dropFirst()
        // The launcher may be there or not, and an id whose dashes were not escaped has several words.
        return words.indices.map { Self.plain(Substring(words[$0...].joined(separator: "-"))) }
    }

    /// `org.foo\x2dbar` is `org.foo-bar`.
    private static func plain(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let character = rest.first {
            let digits = rest.dropFirst(2).prefix(2)
            if character == "\\", rest.dropFirst().first == "x", digits.count == 2,
                let byte = UInt8(digits, radix: 16),
                byte > 0x20, byte < 0x7F
            {
                result.unicodeScalars.append(Unicode.Scalar(byte))
                rest = rest.dropFirst(4)
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result.lowercased()
    }
}
