import Glibc

/// How much of a shield is shown and how large; a window gets the first of these that fits it.
struct ShieldFit {
    var factor: Double
    var titleLines = 3
    var subtitleLines = 7
    var hasIcon = true
    var hasSecondary = true
    var hasTexts = true

    /// The size of a phone, at which everything has the sizes that `ShieldMeasures` names.
    private static let plainWidth = 390.0
    private static let plainHeight = 620.0
    private static let rowHeight = 150.0
    private static let factorMax = 2.5
    private static let factorMin = 0.4
    private static let step = 0.94

    /// `width` and `height` in units of the desktop.
    static func attempts(width: Double, height: Double, isRow: Bool) -> [ShieldFit] {
        let full = isRow ? height / rowHeight : min(width / plainWidth, height / plainHeight)
        // A window twice as large is looked at from further away, but not twice as far.
        let start = min(factorMax, full > 1 ? pow(full, 0.68) : max(0.62, full))
        var fits: [ShieldFit] = []
        var factor = start
        while factor >= start * 0.62 {
            fits.append(ShieldFit(factor: factor))
            factor *= step
        }
        // From here on words give way to size.
        for lines in [5, 4, 3, 2] { fits.append(ShieldFit(factor: start * 0.66, subtitleLines: lines)) }
        factor = start * 0.66
        while factor >= factorMin {
            fits.append(ShieldFit(factor: factor, titleLines: 2, subtitleLines: 2))
            factor *= step
        }
        fits += [
            ShieldFit(factor: factorMin, titleLines: 2, subtitleLines: 1),
            ShieldFit(factor: factorMin, titleLines: 1, subtitleLines: 1),
            ShieldFit(factor: factorMin, titleLines: 1, subtitleLines: 1, hasIcon: false),
            ShieldFit(factor: factorMin, titleLines: 1, subtitleLines: 0, hasIcon: false),
            ShieldFit(
                factor: factorMin,
                titleLines: 1,
                subtitleLines: 0,
                hasIcon: false,
                hasSecondary: false
            ),
            ShieldFit(factor: factorMin, hasIcon: false, hasSecondary: false, hasTexts: false),
        ]
        return fits
    }
}
