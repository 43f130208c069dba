import STContracts

/// One measured number and the bar it is held against.
struct Figure: Sendable {
    enum Bar: Sendable {
        case atMost(Double)
        case atLeast(Double)
        /// Told, not judged: a baseline, or a number that depends on the machine alone.
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
        let scaled = (value * 100).rounded() / 100
        return scaled == scaled.rounded() ? String(Int64(scaled)) : String(scaled)
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
