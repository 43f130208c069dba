import Glibc

/// The local time zone's name, found as glibc and systemd find it.
package enum LocalZone {
    /// `TZ` when it names a zone, else the target of /etc/localtime, else UTC.
    package static func identifier() -> String {
        if let value = getenv("TZ").map({ String(cString: $0) }), let name = named(value) { return name }
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = readlink("/etc/localtime", &buffer, buffer.count - 1)
        guard count > 0 else { return "UTC" }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return named(target) ?? "UTC"
    }

    /// Only names count (`Europe/Berlin`, `:UTC`, `/usr/share/zoneinfo/…`); a POSIX rule such as `CET-1CEST` has no
    /// name that another machine could look up.
    private static func named(_ value: String) -> String? {
        var text = Substring(value)
        if text.hasPrefix(":") { text = text.dropFirst() }
        let marker = "zoneinfo/"
        let bytes = Array(text.utf8)
        let pattern = Array(marker.utf8)
        if bytes.count > pattern.count {
            for start in 0...(bytes.count - pattern.count)
            where Array(bytes[start..<(start + pattern.count)]) == pattern {
                return String(decoding: bytes[(start + pattern.count)...], as: UTF8.self)
            }
        }
        let isName = text.contains("/") || text == "UTC" || text == "GMT"
        return isName && !text.hasPrefix("/") ? String(text) : nil
    }
}
