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

    // Below these sizes nobody reads anything.
    var titleSize: Double { max(14 * scale, 29 * unit) }
    var subtitleSize: Double { max(11 * scale, 17 * unit) }
    var buttonSize: Double { max(11.5 * scale, 17 * unit) }

    var ring: Double { max(2 * scale, 3 * unit) }
}
