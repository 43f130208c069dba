package import STContracts

/// Colours for series that bring none: apart from each other in lightness too, in both faces.
package enum ChartPalette {
    package static let accent = PageColor(light: "#0A62DBFF", dark: "#5AA2FFFF")

    private static let colors = [
        accent,
        PageColor(light: "#D9480FFF", dark: "#FF9A5AFF"),
        PageColor(light: "#0B7A5BFF", dark: "#4FD1A5FF"),
        PageColor(light: "#7A3FC4FF", dark: "#BE93FFFF"),
        PageColor(light: "#A8690AFF", dark: "#FFCB52FF"),
        PageColor(light: "#B4236DFF", dark: "#FF85BDFF"),
        PageColor(light: "#0F7C96FF", dark: "#5CCBE4FF"),
        PageColor(light: "#55606EFF", dark: "#AAB4C2FF"),
    ]

    package static func color(_ index: Int) -> PageColor { colors[((index % 8) + 8) % 8] }
}
