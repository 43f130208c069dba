import Glibc

/// How much of a shield is shown and how large; a window gets the first of these that fits it.
struct ShieldFit {
    var factor: Double
    var titleLines = 3
    /// A person's own words of the length that a rule takes, and when it opens again behind them.
    var subtitleLines = 14
    var hasIcon = true
    /// Of the icon's size, and of the room below it.
    var iconShare = 1.0
    var hasSecondary = true
    var hasMore = true
    var hasNote = true
    var hasTexts = true

    /// The size of a phone, at which everything has the sizes that `ShieldMeasures` names.
    private static let plainWidth = 390.0
    private static let plainHeight = 620.0
    private static let rowHeight = 150.0
    private static let factorMax = 2.5
    private static let factorMin = 0.4
    private static let step = 0.94

    /// `width` and `height` in units of the desktop.
    static func attempts(width: Double, height: Double, isRow: Bool, hasMore: Bool) -> [ShieldFit] {
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
        for lines in [11, 9, 7, 5, 4, 3, 2] {
            fits.append(ShieldFit(factor: start * 0.66, subtitleLines: lines))
        }
        factor = start * 0.66
        while factor >= factorMin {
            fits.append(ShieldFit(factor: factor, titleLines: 2, subtitleLines: 2))
            factor *= step
        }
        return fits + last(hasMore)
    }

    /// What is left out when nothing fits any more, in this order.
    ///
    /// The way to more time goes after the app's own second button. Where there is one, the picture goes before words do.
    private static func last(_ hasMore: Bool) -> [ShieldFit] {
        var fit = ShieldFit(factor: factorMin, titleLines: 2, subtitleLines: 2)
        var steps: [(inout ShieldFit) -> Void] = [
            { $0.iconShare = 0.55 }, { $0.subtitleLines = 1 }, { $0.titleLines = 1 }, { $0.hasIcon = false },
            { $0.hasNote = false }, { $0.subtitleLines = 0 }, { $0.hasSecondary = false },
            { $0.hasMore = false }, { $0.hasTexts = false },
        ]
        if hasMore { steps.insert(steps.remove(at: 3), at: 1) }
        return steps.map { step in
            step(&fit)
            return fit
        }
    }
}
