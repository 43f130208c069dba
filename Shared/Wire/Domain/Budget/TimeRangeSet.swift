/// A union of time spans. Time in several of them counts once.
package struct TimeRangeSet: Sendable, Hashable {
    /// The spans in order. No two of them touch.
    package private(set) var ranges: [TimeRange] = []

    /// Moments are clamped to this distance from the epoch, about 30 million years, so that sums do not overflow.
    package static let limitMs: Int64 = 1_000_000_000_000_000_000

    package init(_ spans: [TimeRange] = []) {
        for span in spans { insert(span) }
    }

    /// Adds a span. Returns how much of it is new.
    @discardableResult
    package mutating func insert(_ span: TimeRange) -> Int64 {
        let added = Self.clamped(span)
        guard added.startMs < added.endMs else { return 0 }
        let first = firstIndex { $0.endMs >= added.startMs }
        let last = firstIndex { $0.startMs > added.endMs }
        var merged = added
        var knownMs: Int64 = 0
        for known in ranges[first..<last] {
            knownMs += Self.intersection(known, added).durationMs
            merged.startMs = min(merged.startMs, known.startMs)
            merged.endMs = max(merged.endMs, known.endMs)
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        return added.durationMs - knownMs
    }

    /// The parts of a span that this set does not cover.
    package func gaps(in span: TimeRange) -> [TimeRange] {
        var gaps: [TimeRange] = []
        var startMs = span.startMs
        for known in ranges where known.endMs > startMs && known.startMs < span.endMs {
            if known.startMs > startMs { gaps.append(TimeRange(startMs, known.startMs)) }
            startMs = known.endMs
        }
        if startMs < span.endMs { gaps.append(TimeRange(startMs, span.endMs)) }
        return gaps
    }

    package mutating func formUnion(_ other: TimeRangeSet) {
        for span in other.ranges { insert(span) }
    }

    private static func intersection(_ one: TimeRange, _ other: TimeRange) -> TimeRange {
        TimeRange(max(one.startMs, other.startMs), min(one.endMs, other.endMs))
    }

    private static func clamped(_ span: TimeRange) -> TimeRange {
        TimeRange(max(-limitMs, min(limitMs, span.startMs)), max(-limitMs, min(limitMs, span.endMs)))
    }

    /// The index of the first element that fulfils a condition, if all later elements fulfil it too. The count if none does.
    private func firstIndex(where holds: (TimeRange) -> Bool) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if holds(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension TimeRangeSet: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([TimeRange].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ranges)
    }
}

/// A half-open interval of time: `endMs` is not part of it.
package struct TimeRange: Codable, Sendable, Hashable {
    package var startMs: Int64
    package var endMs: Int64

    package init(_ startMs: Int64, _ endMs: Int64) {
        self.startMs = startMs
        self.endMs = endMs
    }

    package var durationMs: Int64 { max(0, endMs - startMs) }
}
