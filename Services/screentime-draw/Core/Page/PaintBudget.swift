/// How much may be painted on one page: without it a page of things on top of each other would take minutes.
final class PaintBudget {
    /// About forty times all pixels that a picture can have, in plain colours.
    private static let pixelsMax = 1_500_000_000.0
    /// What anything costs, however small it is, in pixels.
    private static let least = 500.0

    private let sheet: Box
    private let scale: Double
    private var left = PaintBudget.pixelsMax
    private let warnings: Warnings

    init(sheet: Box, scale: Double, _ warnings: Warnings) {
        self.sheet = sheet
        self.scale = scale
        self.warnings = warnings
    }

    /// Whether there is enough for something as large as that; `weight` is how many times a plain colour it costs.
    func allows(_ box: Box, weight: Double = 1, isStraight: Bool) -> Bool {
        // Turned and enlarged, anything can be everywhere.
        let seen = isStraight ? PageReach.common(box, sheet) : sheet
        guard let seen else { return true }
        return allows(pixels: seen.width * seen.height * scale * scale * weight)
    }

    func allows(pixels: Double) -> Bool {
        left -= Self.least + pixels
        if left < 0 {
            warnings.add("There is more on this page than can be painted; some of it is left out.")
        }
        return left >= 0
    }
}
