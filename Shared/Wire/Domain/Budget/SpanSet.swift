/// A union of time spans. Time in several of them counts once.
package struct SpanSet: Sendable, Hashable {
    /// The spans in order. No two of them touch.
    package private(set) var spans: [TimeSpan] = []

    /// Moments are clamped to this distance from the epoch, about 30 million years, so that sums do not overflow.
    package static let reachMs: Int64 = 1_000_000_000_000_000_000

    package init(_ spans: [TimeSpan] = []) {
        for span in spans { insert(span) }
    }

    /// Adds a span. Returns how much of it is new.
    @discardableResult
    package mutating func insert(_ span: TimeSpan) -> Int64 {
        let added = Self.cut(span)
        guard added.startMs < added.endMs else { return 0 }
        let first = firstIndex { $0.endMs >= added.startMs }
        let last = firstIndex { $0.startMs > added.endMs }
        var merged = added
        var knownMs: Int64 = 0
        for known in spans[first..<last] {
            knownMs += Self.common(known, added).durationMs
            merged.startMs = min(merged.startMs, known.startMs)
            merged.endMs = max(merged.endMs, known.endMs)
        }
        spans.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        return added.durationMs - knownMs
    }

    /// The parts of a span that this set does not cover.
    package func gaps(in span: TimeSpan) -> [TimeSpan] {
        var gaps: [TimeSpan] = []
        var startMs = span.startMs
        for known in spans where known.endMs > startMs && known.startMs < span.endMs {
            if known.startMs > startMs { gaps.append(TimeSpan(startMs, known.startMs)) }
            startMs = known.endMs
        }
        if startMs < span.endMs { gaps.append(TimeSpan(startMs, span.endMs)) }
        return gaps
    }

    package mutating func formUnion(_ other: SpanSet) {
        for span in other.spans { insert(span) }
    }

    private static func common(_ one: TimeSpan, _ other: TimeSpan) -> TimeSpan {
        TimeSpan(max(one.startMs, other.startMs), min(one.endMs, other.endMs))
    }

    private static func cut(_ span: TimeSpan) -> TimeSpan {
        TimeSpan(max(-reachMs, min(reachMs, span.startMs)), max(-reachMs, min(reachMs, span.endMs)))
    }

    /// The index of the first element that fulfils a condition, if all later elements fulfil it too. The count if none does.
    private func firstIndex(where holds: (TimeSpan) -> Bool) -> Int {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if holds(spans[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension SpanSet: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([TimeSpan].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(spans)
    }
}

/// A half-open interval of time: `endMs` is not part of it.
package struct TimeSpan: Codable, Sendable, Hashable {
    package var startMs: Int64
    package var endMs: Int64

    package init(_ startMs: Int64, _ endMs: Int64) {
        self.startMs = startMs
        self.endMs = endMs
    }

    package var durationMs: Int64 { max(0, endMs - startMs) }
}
