import STContracts
import STPlatform

/// Where a page begins: a segment, and the row of it that was told last.
///
/// Rows are found again by what they are: while somebody is there, use goes on, and what was the fifth row is the fourth.
struct UsagePlace: Equatable {
    struct Mark: Equatable {
        var usedMs: Int64
        var names: [String]

        init(_ row: ReportUsageRow) {
            usedMs = row.usedMs
            names = [row.app, row.site, row.category, row.member, row.device].map { $0 ?? "" }
        }

        init?(_ usedMs: Substring, _ names: Substring) {
            guard let usedMs = Int64(usedMs), let names = Self.text(names) else { return nil }
            self.usedMs = usedMs
            self.names = names.split(separator: Self.separator, omittingEmptySubsequences: false).map(
                String.init
            )
        }

        /// Most used first.
        func isBefore(_ other: Mark) -> Bool {
            if usedMs != other.usedMs { return usedMs > other.usedMs }
            return names.lexicographicallyPrecedes(other.names)
        }

        var text: String { "\(usedMs):\(Self.hex(names.joined(separator: String(Self.separator))))" }

        private static let separator: Character = "\u{1F}"
        private static let digits = Array("0123456789abcdef")

        private static func hex(_ text: String) -> String {
            String(text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }

        private static func text(_ hex: Substring) -> String? {
            let values = hex.utf8.map {
                UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") ? $0 - 48 : $0 &- 87
            }
            guard values.count.isMultiple(of: 2), values.allSatisfy({ $0 < 16 }) else { return nil }
            let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
            return String(validating: bytes, as: UTF8.self)
        }
    }

    var segment: Int
    var after: Mark?

    init(segment: Int, after: Mark? = nil) {
        self.segment = segment
        self.after = after
    }

    init(_ text: String?, count: Int) throws {
        guard let text else {
            self.init(segment: 0)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let mark = parts.count == 3 ? Mark(parts[1], parts[2]) : nil
        guard let segment = Int(parts[0]), (0..<count).contains(segment), parts.count == 1 || mark != nil
        else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        self.init(segment: segment, after: mark)
    }

    var text: String { after.map { "\(segment):\($0.text)" } ?? "\(segment)" }
}
