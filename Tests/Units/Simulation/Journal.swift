/// The messages of one run: the newest for whoever reads a failure, and a sum over all to compare two runs.
struct Journal {
    private static let kept = 50

    /// For the one seed that somebody looks into.
    var keepsAll = false
    private(set) var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var count = 0
    private var newest: [String] = []
    private var names: [String: String] = [:]

    mutating func note(_ line: String) {
        count += 1
        for byte in line.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        newest.append(line)
        if newest.count >= 2 * Self.kept, !keepsAll { newest.removeFirst(Self.kept) }
    }

    /// Epochs and ids are random, so a run calls them by the order in which they came up.
    mutating func alias(_ text: String) -> String {
        if let known = names[text] { return known }
        let name = "#\(names.count + 1)"
        names[text] = name
        return name
    }

    var tail: String { newest.suffix(keepsAll ? newest.count : Self.kept).joined(separator: "\n") }
}
