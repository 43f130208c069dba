package import STPlatform

/// Reads and writes days of the week: `mon-fri`, `sat,sun`, `sun-thu`.
package enum DayList {
    private static let short = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let long = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let words: [String: [Int]] = [
        "daily": Array(1...7), "weekdays": [2, 3, 4, 5, 6], "weekends": [1, 7], "weekend": [1, 7],
    ]

    /// From 1, Sunday, in order.
    package static func days(_ text: String) throws(Problem) -> [Int] {
        var days: Set<Int> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if let known = words[String(part)] {
                days.formUnion(known)
                continue
            }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { day(String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                throw Problem(
                    "usage.bad_days",
                    "--on is “\(text)”, and wants days such as mon-fri, sat,sun or sun-thu.",
                    help: "--on mon-fri"
                )
            }
            // A range may go over the end of the week.
            let length = (last - first + 7) % 7
            days.formUnion((0...length).map { (first - 1 + $0) % 7 + 1 })
        }
        return days.sorted()
    }

    /// `every day`, `on Mon to Fri`, `on Mon, Wed`.
    package static func text(_ days: [Int]?) -> String {
        guard let days, !days.isEmpty, days.count < 7 else { return "every day" }
        // From Monday, as people say it.
        let order = [2, 3, 4, 5, 6, 7, 1]
        let chosen = order.filter(days.contains)
        let names = chosen.map { short[$0 - 1].prefix(1).uppercased() + short[$0 - 1].dropFirst() }
        guard chosen.count > 2, let run = run(of: Set(days), order) else {
            return "on " + names.joined(separator: ", ")
        }
        let ends = [run.first, run.last].compactMap { $0 }.map {
            short[$0 - 1].prefix(1).uppercased() + short[$0 - 1].dropFirst()
        }
        return "on " + ends.joined(separator: " to ")
    }

    /// The days one after the other, when they follow each other without a gap, over the end of the week too.
    private static func run(of days: Set<Int>, _ order: [Int]) -> [Int]? {
        for start in order where days.contains(start) && !days.contains((start + 5) % 7 + 1) {
            let run = (0..<days.count).map { (start - 1 + $0) % 7 + 1 }
            return run.allSatisfy(days.contains) ? run : nil
        }
        return nil
    }

    private static func day(_ text: String) -> Int? {
        (short.firstIndex(of: text) ?? long.firstIndex(of: text)).map { $0 + 1 }
    }
}
