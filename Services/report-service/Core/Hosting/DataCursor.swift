import STPlatform

/// Where a page of an app's data begins.
struct DataCursor: Equatable {
    /// Of the plan.
    var part = 0
    /// Segments of it that were told.
    var number: Int64 = 0
    /// When the last of them begins: it may go on in the read model's next page.
    var lastWallMs: Int64 = -1
    /// Segments of the read model's page that were told or are not worth it, and rows of the next one.
    var segments = 0
    var rows = 0
    /// The read model's page.
    var page: String?

    init() {}

    init(text: String?) throws {
        guard let text else { return }
        let words = text.split(separator: ".", maxSplits: 5, omittingEmptySubsequences: false)
        let numbers = words.prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4, numbers.allSatisfy({ (0...1_000_000).contains($0) }),
            let last = Int64(words[4])
        else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        part = numbers[0]
        number = Int64(numbers[1])
        segments = numbers[2]
        rows = numbers[3]
        lastWallMs = last
        page = words[5].isEmpty ? nil : String(words[5])
    }

    var text: String { "\(part).\(number).\(segments).\(rows).\(lastWallMs).\(page ?? "")" }

    /// The number of a segment that begins then.
    mutating func number(ofSegmentAt wallMs: Int64) -> Int64 {
        if wallMs != lastWallMs || number == 0 {
            number += 1
            lastWallMs = wallMs
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
