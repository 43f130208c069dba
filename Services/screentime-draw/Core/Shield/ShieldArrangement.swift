import Glibc

/// Where everything of a shield goes.
struct ShieldArrangement {
    /// A text and the upper left corner of the box that it was laid out for.
    struct PlacedText {
        var block: TextBlock
        var box: Box
    }

    struct PlacedButton {
        var box: Box
        var label: PlacedText
    }

    /// Pixels of a unit of length, as this window has them.
    var unit: Double
    var icon: Box?
    var title: PlacedText?
    var subtitle: PlacedText?
    var primary: PlacedButton?
    var secondary: PlacedButton?
    var more: PlacedButton?
    var note: PlacedText?
}

extension ShieldArrangement.PlacedButton {
    mutating func move(_ dx: Double, _ dy: Double) {
        box = box.moved(dx, dy)
        label.box = label.box.moved(dx, dy)
    }
}

/// The sizes of everything, in pixels, for one window.
struct ShieldMeasures {
    /// Pixels of a unit of length, as this window has them, and as the desktop has them.
    let unit: Double
    private let scale: Double

    init(factor: Double, scale: Double) {
        unit = factor * scale
        self.scale = scale
    }

    var margin: Double { max(10 * scale, 28 * unit) }
    var icon: Double { 88 * unit }
    // Where letters are as small as they get, lines are as long as a small window lets them be.
    var columnWidth: Double { max(300 * scale, 440 * unit) }
    var subtitleWidth: Double { max(280 * scale, 400 * unit) }
    var rowWidth: Double { 1000 * unit }
    var buttonWidth: Double { 280 * unit }
    var buttonHeight: Double { max(24 * scale, 50 * unit) }
    var secondaryHeight: Double { max(22 * scale, 44 * unit) }
    var moreHeight: Double { max(20 * scale, 36 * unit) }
    var noteSize: Double { max(10 * scale, 13 * unit) }
    var buttonPadding: Double { max(10 * scale, 20 * unit) }

    var belowIcon: Double { 28 * unit }
    var belowTitle: Double { max(3 * scale, 14 * unit) }
    var aboveButtons: Double { max(10 * scale, 34 * unit) }
    var betweenButtons: Double { 8 * unit }
    var gap: Double { 24 * unit }

    // Smaller letters cannot be read.
    var titleSize: Double { max(14 * scale, 29 * unit) }
    var subtitleSize: Double { max(11 * scale, 17 * unit) }
    var buttonSize: Double { max(11.5 * scale, 17 * unit) }
}

/// How much of a shield is shown and how large; a window gets the first of these that fits it.
struct ShieldFit {
    var factor: Double
    var titleLines = 3
    /// A person's own words of the length that a rule takes, and when it opens again behind them.
    var subtitleLines = 14
    var hasIcon = true
    /// The part of the icon's full size, and of the room below it, that is used.
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
