import STContracts

/// What is said about one side of a chart.
struct AxisSettings {
    var isHidden: Bool?
    var label: String?
    var scale: AxisScale?
    var marks: AxisDraft?
}

/// What an axis goes over.
struct AxisScale {
    var from: Double?
    var to: Double?
    var categories: [String]?

    init(_ values: [PlotDatum]) {
        let texts = values.compactMap(\.text)
        if texts.count == values.count, !texts.isEmpty {
            categories = texts
            return
        }
        let numbers = values.compactMap { $0.number ?? $0.date.map { Double(Int64(clamping: $0)) } }
            .filter(\.isFinite)
        // An axis without length cannot be drawn.
        guard let least = numbers.min(), let most = numbers.max(), least < most else { return }
        from = least
        to = most
    }
}
