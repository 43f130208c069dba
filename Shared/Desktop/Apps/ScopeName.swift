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
