/// Counts of durations from 1 µs to an hour. The width of a bucket is an eighth of its power of two.
package struct LatencyHistogram: Sendable, Equatable {
    private static let stepsPerDoubling = 8
    private static let doublings = 32

    private var buckets: [UInt32] = Array(repeating: 0, count: stepsPerDoubling * doublings)
    package private(set) var count: Int64 = 0

    package init() {}

    package mutating func record(us: Int64) {
        count += 1
        let index = Self.index(us)
        if buckets[index] < .max { buckets[index] += 1 }
    }

    /// The upper edge of the bucket that contains the quantile. 0 if nothing was recorded.
    package func quantile(_ fraction: Double) -> Int64 {
        guard count > 0 else { return 0 }
        let rank = max(1, Int64((Double(count) * fraction).rounded(.up)))
        var seen: Int64 = 0
        for (index, bucket) in buckets.enumerated() where bucket > 0 {
            seen += Int64(bucket)
            if seen >= rank { return Self.upperEdge(index) }
        }
        return Self.upperEdge(buckets.count - 1)
    }

    private static func index(_ us: Int64) -> Int {
        let value = UInt64(max(us, 0))
        guard value >= UInt64(stepsPerDoubling) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        let step = Int(value >> UInt64(exponent - 3)) & (stepsPerDoubling - 1)
        return min((exponent - 2) * stepsPerDoubling + step, stepsPerDoubling * doublings - 1)
    }

    private static func upperEdge(_ index: Int) -> Int64 {
        guard index >= stepsPerDoubling else { return Int64(index) }
        let exponent = index / stepsPerDoubling + 2
        let step = index % stepsPerDoubling
        return (Int64(stepsPerDoubling + step + 1) << Int64(exponent - 3)) - 1
    }
}
