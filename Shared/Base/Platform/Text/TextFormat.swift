/// Small texts for people and for the wire, without Foundation.
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

    /// `512 B`, `1.2 MiB`.
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

    /// The candidate that a person probably meant, or nil when none is near.
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

    /// As much of a text as fits, by whole characters, with an ellipsis where something was cut.
    package static func fitting(_ text: String, bytes: Int) -> String {
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

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
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

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// Ten thousand days: longer ones are mistakes, and sums of durations stay far from running over.
    package static let durationMsMax: Int64 = 864_000_000_000

    /// `3m12s`, `1h30m`, `2d4h`, `45s`, `250ms`: the two largest units, rounded down.
    package static func duration(ms: Int64) -> String {
        if ms == 0 { return "0s" }
        let size = Int64(clamping: ms.magnitude)
        let first = units.firstIndex { size >= $0.milliseconds } ?? units.count - 1
        var text = "\(size / units[first].milliseconds)\(units[first].name)"
        // Milliseconds are left out beside seconds.
        if first + 1 < units.count - 1 {
            let second = size % units[first].milliseconds / units[first + 1].milliseconds
            if second > 0 { text += "\(second)\(units[first + 1].name)" }
        }
        return ms < 0 ? "-" + text : text
    }

    /// The milliseconds of `1h30m`, `45s` or `250ms`: each unit at most once, larger ones first.
    ///
    /// Nil for anything else, such as a number without a unit.
    package static func durationMs(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        guard !rest.isEmpty, rest.count <= 40 else { return nil }
        var total: Int64 = 0
        var nextUnit = 0
        while !rest.isEmpty {
            let digits = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { !(48...57).contains($0) }
            rest = rest.dropFirst(letters.count)
            let name = String(decoding: letters, as: UTF8.self)
            guard !digits.isEmpty, let count = Int64(String(decoding: digits, as: UTF8.self)),
                let unit = units[nextUnit...].firstIndex(where: { $0.name == name })
            else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: units[unit].milliseconds)
            guard !overflow, product <= durationMsMax - total else { return nil }
            total += product
            nextUnit = unit + 1
        }
        return total
    }

    private static let koreanUnits: [(name: String, milliseconds: Int64)] = [
        ("일", 86_400_000), ("시간", 3_600_000), ("분", 60_000), ("초", 1_000),
    ]

    /// The same in that language: `1시간 30분`; in Korean less than a second is shown as 0초.
    package static func duration(ms: Int64, in language: WordLanguage) -> String {
        language == .korean ? koreanDuration(ms: ms) : duration(ms: ms)
    }

    private static func koreanDuration(ms: Int64) -> String {
        guard let first = koreanUnits.firstIndex(where: { ms >= $0.milliseconds }) else { return "0초" }
        let unit = koreanUnits[first].milliseconds
        var parts = ["\(ms / unit)\(koreanUnits[first].name)"]
        if first + 1 < koreanUnits.count {
            let second = ms % unit / koreanUnits[first + 1].milliseconds
            if second > 0 { parts.append("\(second)\(koreanUnits[first + 1].name)") }
        }
        return parts.joined(separator: " ")
    }
}
