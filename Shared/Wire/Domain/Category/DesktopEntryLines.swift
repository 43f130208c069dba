/// The lines of a desktop entry's own group that somebody wants to know; all others are skipped as bytes.
struct DesktopEntryLines {
    private static let keys: Set<String> = [
        "Type", "Name", "Icon", "Categories", "StartupWMClass", "NoDisplay", "Hidden", "Exec", "TryExec",
        "X-Flatpak", "X-SnapInstanceName",
    ]
    private static let longestKey = 64
    private static let group = Array("[Desktop Entry]".utf8)

    private var values: [String: String] = [:]

    /// Nil for bytes that are no text.
    init?(_ bytes: [UInt8], names: [String]) {
        guard bytes.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else { return nil }
        let wanted = Self.keys.union(names.map { "Name[\($0)]" })
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
