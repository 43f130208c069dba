import STContracts

/// The colours of series that nobody gave one.
///
/// Neighbours differ in brightness as well as in hue, so that they are told apart without seeing colours, too; each has at least
/// three times the contrast of the ground, on light and on dark.
enum ChartPalette {
    static let colors: [PageColor] = [
        color("#0A6CDFFF", "#4DA3FFFF"),
        color("#C05600FF", "#FFA94DFF"),
        color("#1D8348FF", "#57D68DFF"),
        color("#8A3FC2FF", "#C99BFFFF"),
        color("#C4283BFF", "#FF7B7BFF"),
        color("#0B7C86FF", "#4FD5DEFF"),
        color("#8A6D00FF", "#F2CF3AFF"),
        color("#C0327FFF", "#FF8FCDFF"),
        color("#4A4AD0FF", "#A3A1FFFF"),
        color("#75512FFF", "#CDA77CFF"),
    ]

    private static func color(_ light: String, _ dark: String) -> PageColor {
        PageColor(light: light, dark: dark)
    }

    static func color(_ number: Int) -> PageColor { colors[number % colors.count] }
}
