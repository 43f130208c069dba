import STContracts

/// How far apart the numbers on an axis are.
enum ChartSteps {
    /// Of a clock: nobody counts hours in tenths.
    private static let seconds: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200,
    ]

    /// The smallest round step with which at most so many fit into a length.
    static func size(_ length: Double, unit: PageUnit, count: Int) -> Double {
        let wanted = max(length, 1e-300) / Double(max(1, count))
        if unit == .duration {
            if let size = seconds.first(where: { $0 >= wanted * 0.999 }) { return size }
            return 86_400 * decimal(wanted / 86_400)
        }
        return decimal(wanted)
    }

    /// 1, 2 or 5 times a power of ten.
    private static func decimal(_ wanted: Double) -> Double {
        let power = PageMath.power(10, PageMath.log10(wanted).rounded(.down))
        for factor in [1.0, 2, 5, 10] where factor * power >= wanted * 0.999 { return factor * power }
        return 10 * power
    }
}
