/// Lengths of time for a person: `1 d 2 h`, `15 min`, `1 s`.
package enum DurationText {
    package static func of(_ ms: Int64) -> String {
        let units: [(String, Int64)] = [
            ("d", LocalClock.dayMs), ("h", LocalClock.hourMs), ("min", 60_000), ("s", 1000), ("ms", 1),
        ]
        var rest = ms.magnitude
        var parts: [String] = []
        for (name, size) in units where rest >= UInt64(size) {
            parts.append("\(rest / UInt64(size)) \(name)")
            rest %= UInt64(size)
        }
        return parts.isEmpty ? "0 s" : (ms < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}
