/// Microseconds, as people compare them.
struct Figures: CustomStringConvertible {
    private let sorted: [Int64]

    init(_ values: [Int64]) { sorted = values.sorted() }

    var least: Int64 { sorted.first ?? .max }
    var most: Int64 { sorted.last ?? .max }

    var description: String {
        guard !sorted.isEmpty else { return "no figures" }
        return "n \(sorted.count), least \(least) µs, p50 \(sorted[sorted.count / 2]) µs, "
            + "p99 \(sorted[sorted.count * 99 / 100]) µs, most \(most) µs"
    }
}
