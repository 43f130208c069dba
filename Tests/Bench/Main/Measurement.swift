import STPlatform

/// Latencies of many calls.
struct Measurement {
    private(set) var nanoseconds: [Int64] = []

    mutating func add(_ more: some Sequence<Int64>) { nanoseconds.append(contentsOf: more) }

    func quantileUs(_ fraction: Double) -> Double {
        let sorted = nanoseconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]) / 1000
    }
}
