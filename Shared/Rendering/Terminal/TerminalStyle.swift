import STContracts

/// Looks that every terminal has.
enum TerminalStyle {
    static let bold = "1"
    static let dim = "2"

    /// The nearest of a terminal's own colours, which its owner has chosen for its ground.
    static func color(_ color: PageColor?) -> String? {
        guard let ink = color.flatMap({ PageInk($0.light) }) else { return nil }
        let high = max(ink.red, ink.green, ink.blue)
        let low = min(ink.red, ink.green, ink.blue)
        guard high - low > 0.18 else { return nil }
        let span = high - low
        var hue: Double
        if high == ink.red {
            hue = (ink.green - ink.blue) / span
        } else if high == ink.green {
            hue = 2 + (ink.blue - ink.red) / span
        } else {
            hue = 4 + (ink.red - ink.green) / span
        }
        if hue < 0 { hue += 6 }
        switch hue {
        case ..<0.4: return "31"
        case ..<1.35: return "33"
        case ..<2.75: return "32"
        case ..<3.35: return "36"
        case ..<4.3: return "34"
        case ..<5.5: return "35"
        default: return "31"
        }
    }
}
