/// Formats short texts for people and for the wire, without Foundation.
package enum TextFormat {
    /// A number with leading zeros.
    static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// The 16 hexadecimal digits of a number.
    package static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    /// The bytes of a hexadecimal text. `nil` unless the text consists of pairs of hexadecimal digits.
    package static func bytes(hex text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// A number of bytes with a unit: `512 B`, `1.2 MiB`.
    ///
    /// One decimal, rounded down, so that a text never shows a limit as reached before it is.
    package static func bytes(_ count: Int64) -> String {
        let size = count.magnitude
        let sign = count < 0 ? "-" : ""
        guard size >= 1024 else { return "\(sign)\(size) B" }
        var unit: UInt64 = 1024
        for name in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            if size / unit < 1024 || name == "EiB" {
                let whole = size / unit
                let tenth = size % unit * 10 / unit
                return tenth == 0 || whole >= 100
                    ? "\(sign)\(whole) \(name)" : "\(sign)\(whole).\(tenth) \(name)"
            }
            unit *= 1024
        }
        return "\(sign)\(size) B"
    }

    /// The candidate that a person probably meant. `nil` if none is similar.
    package static func closest(to text: String, in candidates: [String]) -> String? {
        let wanted = Array(text.lowercased())
        // A longer text is not a mistyped name, and the time grows with the square of the length.
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate.count <= 64 {
            let distance = editDistance(wanted, Array(candidate.lowercased()))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, wanted.count / 3) else { return nil }
        return best.candidate
    }

    /// The text in at most this many bytes, cut between characters. An ellipsis marks a cut.
    package static func truncated(_ text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var result = ""
        var used = "…".utf8.count
        for character in text {
            used += character.utf8.count
            if used > bytes { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    private static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let cost = left[row] == right[column] ? 0 : 1
                var value = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    value = min(value, before[column - 1] + 1)
                }
                current.append(value)
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }

    private struct Unit {
        let ms: Int64
        /// The name that people read in English.
        let name: String
        /// The name that people type.
        let typed: String
        /// Formats a number of these units for people.
        let text: @Sendable (DisplayLanguage, Int64) -> String
    }

    private static let units = [
        Unit(ms: 86_400_000, name: "d", typed: "d") { $0.text("length.days", "\($1, "count") d") },
        Unit(ms: 3_600_000, name: "h", typed: "h") { $0.text("length.hours", "\($1, "count") h") },
        Unit(ms: 60_000, name: "min", typed: "m") { $0.text("length.minutes", "\($1, "count") min") },
        Unit(ms: 1000, name: "s", typed: "s") { $0.text("length.seconds", "\($1, "count") s") },
        Unit(ms: 1, name: "ms", typed: "ms") { $0.text("length.milliseconds", "\($1, "count") ms") },
    ]

    /// Ten thousand days. Longer durations are mistakes, and sums of durations stay far from overflow.
    package static let durationMsMax: Int64 = 864_000_000_000

    /// The two largest units of a duration, rounded down: `3 min 12 s`, `1 h 30 min`, `27 h 5 min`, `3 d 4 h`, `250 ms`.
    ///
    /// Days are used from two days on, and for exactly one day. With `inHours`, as for the usage of a week, days are never used.
    package static func duration(ms: Int64, in language: DisplayLanguage = .english, inHours: Bool = false)
        -> String
    {
        let size = Int64(clamping: ms.magnitude)
        let dayMs = units[0].ms
        let hasDays = !inHours && (size >= 2 * dayMs || size == dayMs)
        let counted = hasDays ? units : Array(units.dropFirst())
        let first = counted.firstIndex { size >= $0.ms } ?? counted.count - 2
        // Milliseconds are left out beside seconds.
        let second = first + 1 < counted.count - 1 ? [counted[first + 1]] : []
        return written(size, in: [counted[first]] + second, language, isNegative: ms < 0)
    }

    /// All units of a duration: `1 d 2 h 3 min 4 s`.
    package static func exactDuration(ms: Int64) -> String {
        written(Int64(clamping: ms.magnitude), in: units, .english, isNegative: ms < 0)
    }

    /// All units of a duration as a command accepts them: `1h30m`.
    package static func typedDuration(ms: Int64) -> String {
        let parts = split(max(0, ms), in: units).map { "\($0.count)\($0.unit.typed)" }
        return parts.isEmpty ? "0" : parts.joined()
    }

    private static func written(
        _ size: Int64,
        in units: [Unit],
        _ language: DisplayLanguage,
        isNegative: Bool
    ) -> String {
        // Durations in English are frequent and need no message.
        let parts = split(size, in: units).map { count, unit in
            language == .english ? "\(count) \(unit.name)" : unit.text(language, count)
        }
        guard !parts.isEmpty else { return language.text("length.0-s", "0 s") }
        return (isNegative ? "-" : "") + parts.joined(separator: " ")
    }

    /// The count of each unit, without units whose count is zero. Amounts below the smallest unit are dropped.
    private static func split(_ size: Int64, in units: [Unit]) -> [(count: Int64, unit: Unit)] {
        var rest = size
        return units.compactMap { unit in
            defer { rest %= unit.ms }
            return rest >= unit.ms ? (rest / unit.ms, unit) : nil
        }
    }

    /// The milliseconds of `1h30m`, `45s`, `250ms` or `1 h 30 min`: each unit at most once, larger ones first.
    ///
    /// `nil` for any other text, such as a number without a unit.
    package static func durationMs(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 40, let last = rest.last, last != UInt8(ascii: " ") else { return nil }
        var total: Int64 = 0
        var nextUnit = 0
        while !rest.isEmpty {
            let digits = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { !(48...57).contains($0) }
            rest = rest.dropFirst(letters.count)
            let words = letters.split(separator: UInt8(ascii: " "))
            guard !digits.isEmpty, words.count == 1,
                let count = Int64(String(decoding: digits, as: UTF8.self)),
                let unit = units[nextUnit...].firstIndex(where: { unit in
                    [unit.typed, unit.name].contains { words[0].elementsEqual($0.utf8) }
                })
            else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: units[unit].ms)
            guard !overflow, product <= durationMsMax - total else { return nil }
            total += product
            nextUnit = unit + 1
        }
        return total
    }
}

extension String {
    /// True if the string has no control characters and no bidirectional controls. These can change how a terminal, a log or a page
    /// shows the text around them.
    ///
    /// Compares bytes in place, because looking up Unicode properties takes longer than all other processing of a usage row.
    package var isPlain: Bool {
        func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
            // The two bytes before the current one.
            var before: UInt16 = 0
            for byte in bytes {
                switch before {
                case _ where byte < 0x20 || byte == 0x7F: return false
                case _ where before & 0xFF == 0xC2 && byte < 0xA0: return false
                // U+061C.
                case _ where before & 0xFF == 0xD8 && byte == 0x9C: return false
                // U+200E, U+200F and U+202A to U+202E.
                case 0xE280 where (0x8E...0x8F).contains(byte) || (0xAA...0xAE).contains(byte): return false
                // U+2066 to U+2069.
                case 0xE281 where (0xA6...0xA9).contains(byte): return false
                default: before = before << 8 | UInt16(byte)
                }
            }
            return true
        }
        return utf8.withContiguousStorageIfAvailable { isPlain($0) } ?? isPlain(utf8)
    }
}
