import Glibc
import STContracts
import STPlatform

/// A measured number and its bar.
struct Figure: Sendable {
    enum Bar: Sendable {
        case atMost(Double)
        case atLeast(Double)
        /// Shown without a bar: a baseline, or a number that depends only on the machine.
        case none
    }

    var bench: String
    var name: String
    var value: Double
    var unit: String
    var bar = Bar.none

    var isMet: Bool {
        switch bar {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case .none: true
        }
    }

    var line: String {
        let goal: String
        switch bar {
        case .atMost(let limit): goal = "at most \(Self.text(limit))"
        case .atLeast(let limit): goal = "at least \(Self.text(limit))"
        case .none: goal = ""
        }
        let verdict = goal.isEmpty ? "" : (isMet ? "  ok" : "  MISSED")
        return "  \(pad(name, 46)) \(pad("\(Self.text(value)) \(unit)", 20)) \(goal)\(verdict)"
    }

    var json: JSONValue {
        [
            "bench": .string(bench), "name": .string(name), "value": .number(value), "unit": .string(unit),
            "met": .bool(isMet),
        ]
    }

    static func text(_ value: Double) -> String {
        // A ratio to zero.
        guard value.isFinite else { return "none" }
        let scaled = (value * 100).rounded() / 100
        return scaled == scaled.rounded() ? String(Int64(scaled)) : String(scaled)
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// The latencies of many calls.
struct Measurement {
    private(set) var nanoseconds: [Int64] = []

    mutating func add(_ more: some Sequence<Int64>) { nanoseconds.append(contentsOf: more) }

    func quantileUs(_ fraction: Double) -> Double {
        let sorted = nanoseconds.sorted()
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]) / 1000
    }
}

/// The time that the disk itself needs for a commit: appending a page to a file and syncing it.
struct DiskBaseline {
    private static let count = 200
    private var times = Measurement()

    init(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let page = [UInt8](repeating: 7, count: 4096)
        for _ in 0..<Self.count {
            let start = Stopwatch.nanoseconds()
            guard write(file, page, page.count) == page.count, fdatasync(file) == 0 else { return }
            times.add([Stopwatch.nanoseconds() - start])
        }
    }

    func figures(of bench: String) -> [Figure] {
        [(0.5, "p50"), (0.99, "p99")].map { fraction, name in
            Figure(
                bench: bench,
                name: "plain append and fdatasync, \(name)",
                value: times.quantileUs(fraction) / 1000,
                unit: "ms"
            )
        }
    }
}
