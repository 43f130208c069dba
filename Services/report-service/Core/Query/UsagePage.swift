import STContracts
import STPlatform

/// The segments that fit into a reply. A segment with many rows can continue on the next page.
struct UsagePage {
    private(set) var segments: [ReportUsageSegment] = []
    private(set) var next: String?
    private var bytes = 0
    private let query: UsageQuery
    private let now: UsageTally
    private let before: UsageTally?
    private let labels: UsageLabels
    /// The size of a segment and of a row without their values, in bytes.
    private static let segmentBytes = 520
    private static let rowBytes = 220

    init(_ query: UsageQuery, now: UsageTally, before: UsageTally?, labels: UsageLabels) {
        self.query = query
        self.now = now
        self.before = before
        self.labels = labels
    }

    /// Adds a segment. Returns false if the page is full.
    mutating func add(
        _ bounds: (start: WallTime, end: WallTime, day: Int64),
        _ index: Int,
        after: UsagePageCursor.Mark?
    ) -> Bool {
        bytes += Self.segmentBytes
        guard segments.isEmpty || bytes <= BusLimits.pageBytes else {
            next = UsagePageCursor(segment: index, after: after).text
            return false
        }
        var segment = head(bounds, index)
        let sorted = rows(index)
        let shown = query.top.map { Array(sorted.prefix($0)) } ?? sorted
        if shown.count < sorted.count {
            let rest = sorted.dropFirst(shown.count)
            segment.restMs = rest.reduce(0) { $0 + $1.usedMs }
            segment.restCount = Int64(rest.count)
        }
        for row in shown {
            if let after, !after.isBefore(UsagePageCursor.Mark(row)) { continue }
            bytes += Self.bytes(row)
            guard bytes <= BusLimits.pageBytes || segment.rows.isEmpty && segments.isEmpty else {
                let last = segment.rows.last.map { UsagePageCursor.Mark($0) } ?? after
                next = UsagePageCursor(segment: index, after: last).text
                break
            }
            segment.rows.append(row)
        }
        // A segment without any of its rows goes into the next page.
        if next == nil || !segment.rows.isEmpty || segments.isEmpty { segments.append(segment) }
        return next == nil
    }

    private func head(
        _ bounds: (start: WallTime, end: WallTime, day: Int64),
        _ index: Int
    ) -> ReportUsageSegment {
        let totals = now.totals[index] ?? UsageTotals()
        var segment = ReportUsageSegment(
            startWallMs: bounds.start.ms,
            endWallMs: bounds.end.ms,
            day: CivilDate(daysSinceEpoch: Int(bounds.day)).text,
            usedMs: totals.used.ms,
            absentMs: totals.absent.ms,
            unobservedMs: totals.unobserved.ms,
            shieldedMs: totals.shielded.ms,
            pickups: totals.pickups,
            idlePickups: totals.idlePickups,
            notifications: totals.notifications,
            firstPickupWallMs: totals.mark.firstPickup?.ms,
            longestStartWallMs: totals.mark.longestStart?.ms,
            longestEndWallMs: totals.mark.longestStart.map { ($0 + totals.mark.longest).ms },
            beforeMs: before.map { $0.totals[index]?.used.ms ?? 0 },
            rows: []
        )
        guard query.subjects != nil else { return segment }
        // The filter selects some things only: the person's totals would be mistaken for theirs.
        let chosen = now.chosen[index] ?? UsageSum()
        segment.usedMs = chosen.ms
        segment.pickups = chosen.pickups
        segment.notifications = chosen.notifications
        segment.idlePickups = 0
        segment.firstPickupWallMs = nil
        segment.longestStartWallMs = nil
        segment.longestEndWallMs = nil
        segment.beforeMs = before.map { $0.chosen[index]?.ms ?? 0 }
        return segment
    }

    /// Returns the rows of a segment, the most used first.
    private func rows(_ index: Int) -> [ReportUsageRow] {
        guard !query.keys.isEmpty, let sums = now.sums[index] else { return [] }
        let earlier = before.map { before in
            Dictionary(
                zip(before.groups.keys, before.sums[index] ?? []).map { ($0, $1.ms) },
                uniquingKeysWith: +
            )
        }
        func row(_ group: Int) -> ReportUsageRow {
            let (key, sum) = (now.groups.keys[group], sums[group])
            return ReportUsageRow(
                app: key.app,
                category: key.category,
                site: key.site,
                member: key.member,
                device: key.device,
                label: labels.label(key),
                usedMs: sum.ms,
                pickups: sum.pickups,
                notifications: sum.notifications,
                beforeMs: earlier.map { $0[key] ?? 0 }
            )
        }
        // Sort the indices: rows are large, and moving them took a tenth of the time of a year's report.
        return sums.indices.filter { !sums[$0].isZero }.sorted { one, other in
            sums[one].ms == sums[other].ms
                ? UsagePageCursor.Mark(row(one)).isBefore(UsagePageCursor.Mark(row(other)))
                : sums[one].ms > sums[other].ms
        }.map(row)
    }

    /// Returns an upper bound on the size of a row. An escaped character can take six bytes.
    private static func bytes(_ row: ReportUsageRow) -> Int {
        [row.app, row.category, row.site, row.member, row.device, row.label].reduce(rowBytes) { sum, text in
            guard let text else { return sum }
            let isPlain = text.utf8.allSatisfy {
                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            return sum + text.utf8.count * (isPlain ? 1 : 6)
        }
    }
}

/// The beginning of a page: a segment, and its last row on the preceding page.
///
/// Rows are identified by their content. Usage continues meanwhile, and the fifth row may have become the fourth.
struct UsagePageCursor: Equatable {
    struct Mark: Equatable {
        var used: Duration
        var names: [String]

        init(_ row: ReportUsageRow) {
            used = .milliseconds(row.usedMs)
            names = [row.app, row.site, row.category, row.member, row.device].map { $0 ?? "" }
        }

        init?(_ used: Substring, _ names: Substring) {
            guard let ms = Int64(used), let names = Self.text(names) else { return nil }
            self.used = .milliseconds(ms)
            self.names = names.split(separator: Self.separator, omittingEmptySubsequences: false).map(
                String.init
            )
        }

        /// Returns true if this row precedes the other one: the most used first.
        func isBefore(_ other: Mark) -> Bool {
            if used != other.used { return used > other.used }
            return names.lexicographicallyPrecedes(other.names)
        }

        var text: String { "\(used.ms):\(Self.hex(names.joined(separator: String(Self.separator))))" }

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
            throw Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
        }
        self.init(segment: segment, after: mark)
    }

    var text: String { after.map { "\(segment):\($0.text)" } ?? "\(segment)" }
}
