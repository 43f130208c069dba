import Glibc

/// The layout of a shield.
struct ShieldArrangement {
    /// A text, and the box of its layout.
    struct PlacedText {
        var block: TextBlock
        var box: Box
    }

    struct PlacedButton {
        var box: Box
        var label: PlacedText
    }

    /// The number of pixels per unit of length in this window.
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

/// The sizes of all parts of a shield in one window, in pixels.
struct ShieldMetrics {
    /// The number of pixels per unit of length in this window. `scale` is that number on the desktop.
    let unit: Double
    private let scale: Double

    init(factor: Double, scale: Double) {
        unit = factor * scale
        self.scale = scale
    }

    var margin: Double { max(10 * scale, 28 * unit) }
    var icon: Double { 88 * unit }
    // With the smallest letters, lines may be as long as a small window allows.
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

    // Smaller letters are illegible.
    var titleSize: Double { max(14 * scale, 29 * unit) }
    var subtitleSize: Double { max(11 * scale, 17 * unit) }
    var buttonSize: Double { max(11.5 * scale, 17 * unit) }
}

/// The visible parts of a shield and their size. A window gets the first of the attempts that fits it.
struct ShieldFit {
    var factor: Double
    var titleLines = 3
    /// Enough for a person's own text of the maximum length of a rule, followed by the time at which the app opens again.
    var subtitleLines = 14
    var hasIcon = true
    /// The fraction of the icon's full size, and of the space below it.
    var iconShare = 1.0
    var hasSecondary = true
    var hasMore = true
    var hasNote = true
    var hasTexts = true

    /// The size of a phone, at which all parts have the sizes of `ShieldMetrics`.
    private static let plainWidth = 390.0
    private static let plainHeight = 620.0
    private static let rowHeight = 150.0
    private static let factorMax = 2.5
    private static let factorMin = 0.4
    private static let step = 0.94

    /// Returns the attempts in order, from the largest to the smallest. `width` and `height` are in units of the desktop.
    static func attempts(width: Double, height: Double, isRow: Bool, hasMore: Bool) -> [ShieldFit] {
        let full = isRow ? height / rowHeight : min(width / plainWidth, height / plainHeight)
        // A person looks at a window of double size from further away, but not from double the distance.
        let start = min(factorMax, full > 1 ? pow(full, 0.68) : max(0.62, full))
        var fits: [ShieldFit] = []
        var factor = start
        while factor >= start * 0.62 {
            fits.append(ShieldFit(factor: factor))
            factor *= step
        }
        // The following attempts shorten the text instead of the size.
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

    /// Returns the last attempts, which omit parts in a fixed order.
    ///
    /// The control for more time is omitted after the app's secondary button. If there is such a control, the icon is omitted
    /// before texts.
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
