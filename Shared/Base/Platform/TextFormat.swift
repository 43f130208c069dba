/// Small texts for people and for the wire, without Foundation.
package enum TextFormat {
    /// A number with leading zeros.
    static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// `512 B`, `1.2 MiB`.
    ///
    /// One decimal, rounded down, because a limit that shows as reached must have been.
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
        // Nobody mistypes a text of that length, and the time grows with its square.
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
}
