package import STContracts
package import STPlatform

/// Reads a part of the day, `17:00-20:00`.
package enum WindowText {
    package static func window(_ text: String, _ line: String) throws(Problem) -> RuleWindow {
        guard let window = read(text) else {
            throw Problem(
                "usage.bad_window",
                "“\(text)” is no part of a day; write it as 21:30-07:00.",
                help: "\(line) 21:30-07:00"
            )
        }
        return window
    }

    /// Also `9-17`, `9:00-17:30` and with the longer dash that phones put in.
    package static func read(_ text: String) -> RuleWindow? {
        let ends = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }.map {
            time(String($0))
        }
        guard ends.count == 2, let from = ends[0], let to = ends[1] else { return nil }
        return RuleWindow(from: from, to: to)
    }

    private static func time(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts.count == 2 ? parts[1] : "0"),
            hour < 24 && minute < 60 || hour == 24 && minute == 0
        else { return nil }
        return two(hour) + ":" + two(minute)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
