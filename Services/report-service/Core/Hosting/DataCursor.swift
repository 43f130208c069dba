import STContracts
import STPlatform

/// Where a page of an app's data begins.
struct DataCursor: Equatable {
    /// What tells a segment from the next one.
    ///
    /// Its beginning alone does not: the day on which somebody who travels left is over when the report begins, and
    /// begins where the next one does.
    struct Mark: Equatable {
        var startWallMs: Int64
        var endWallMs: Int64
        var day: String

        init(_ segment: ReportUsageSegment) {
            (startWallMs, endWallMs, day) = (segment.startWallMs, segment.endWallMs, segment.day)
        }

        init?(_ text: Substring) {
            let words = text.split(separator: "_", omittingEmptySubsequences: false)
            guard words.count == 3, let start = Int64(words[0]), let end = Int64(words[1]) else { return nil }
            (startWallMs, endWallMs, day) = (start, end, String(words[2]))
        }

        var text: String { "\(startWallMs)_\(endWallMs)_\(day)" }
    }

    /// Of the plan.
    var part = 0
    /// Segments of it that were told.
    var number: Int64 = 0
    /// The last of them, which may go on in the read model's next page.
    var last: Mark?
    /// Segments of the read model's page that were told or are not worth it, and rows of the next one.
    var segments = 0
    var rows = 0
    /// The read model's page.
    var page: String?

    init() {}

    init(text: String?) throws {
        guard let text else { return }
        let words = text.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false)
        let mark = words.count == 6 ? Mark(words[4]) : nil
        let numbers = words.prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4, numbers.allSatisfy({ (0...1_000_000).contains($0) }),
            mark != nil || words[4].isEmpty
        else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        part = numbers[0]
        number = Int64(numbers[1])
        segments = numbers[2]
        rows = numbers[3]
        last = mark
        page = words[5].isEmpty ? nil : String(words[5])
    }

    var text: String { "\(part).\(number).\(segments).\(rows).\(last?.text ?? "").\(page ?? "")" }

    mutating func number(of segment: ReportUsageSegment) -> Int64 {
        let mark = Mark(segment)
        if mark != last || number == 0 {
            number += 1
            last = mark
        }
        return number - 1
    }

    mutating func turn(to page: String) {
        self.page = page
        segments = 0
        rows = 0
    }

    mutating func turnToNextPart() {
        let next = part + 1
        self = DataCursor()
        part = next
    }
}
