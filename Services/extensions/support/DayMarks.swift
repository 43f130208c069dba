/// What became of each day.
///
/// Stored as text with one letter per day, such as `2026-11-20:KKB.K`: small, and readable when something is odd.
package struct DayMarks<Mark: RawRepresentable & Hashable>: Equatable where Mark.RawValue == Character {
    /// Three years; the oldest days go first.
    package static var daysMax: Int { 1_100 }
    /// A longer pause without any mark begins a piece of its own.
    private static var gapMax: Int { 31 }
    private static var nothing: Character { "." }

    private var marks: [Day: Mark] = [:]

    package init() {}

    /// Pieces that make no sense are left out: a streak is worth more than a strict parser.
    package init(text: String) {
        for piece in text.split(separator: " ") {
            let parts = piece.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let first = Day(parts[0]) else { continue }
            for (index, letter) in parts[1].enumerated().prefix(Self.daysMax) {
                if let mark = Mark(rawValue: letter) { marks[first.advanced(by: index)] = mark }
            }
        }
        trim()
    }

    package var text: String {
        var pieces: [String] = []
        var last: Day?
        for (day, mark) in sorted {
            if let last, day.number - last.number <= Self.gapMax {
                let gap = String(repeating: Self.nothing, count: day.number - last.number - 1)
                pieces[pieces.count - 1] += gap + String(mark.rawValue)
            } else {
                pieces.append("\(day.text):\(mark.rawValue)")
            }
            last = day
        }
        return pieces.joined(separator: " ")
    }

    package subscript(day: Day) -> Mark? {
        get { marks[day] }
        set {
            marks[day] = newValue
            trim()
        }
    }

    package var isEmpty: Bool { marks.isEmpty }

    package func count(_ mark: Mark) -> Int { marks.values.count { $0 == mark } }

    /// How many such days in a row end with that day, or with one before it if nothing is known of that day yet.
    ///
    /// A day without a mark was not watched. It neither lengthens a row nor breaks it.
    package func run(of mark: Mark, until last: Day) -> Int {
        var length = 0
        for (day, found) in sorted.reversed() where day <= last {
            guard found == mark else { break }
            length += 1
        }
        return length
    }

    package func longestRun(of mark: Mark) -> Int {
        var longest = 0
        var length = 0
        for (_, found) in sorted {
            length = found == mark ? length + 1 : 0
            longest = max(longest, length)
        }
        return longest
    }

    private var sorted: [(day: Day, mark: Mark)] {
        marks.map { (day: $0.key, mark: $0.value) }.sorted { $0.day < $1.day }
    }

    private mutating func trim() {
        guard marks.count > Self.daysMax else { return }
        for (day, _) in sorted.prefix(marks.count - Self.daysMax) { marks[day] = nil }
    }
}
