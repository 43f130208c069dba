// Apple's values for fixed colours. They are the same in light and dark appearance.
extension UIColor {
    public static let black = UIColor(ColorComponents(0, 0, 0, 1))
    public static let darkGray = UIColor(ColorComponents(1.0 / 3, 1.0 / 3, 1.0 / 3, 1))
    public static let lightGray = UIColor(ColorComponents(2.0 / 3, 2.0 / 3, 2.0 / 3, 1))
    public static let white = UIColor(ColorComponents(1, 1, 1, 1))
    public static let gray = UIColor(ColorComponents(0.5, 0.5, 0.5, 1))
    public static let red = UIColor(ColorComponents(1, 0, 0, 1))
    public static let green = UIColor(ColorComponents(0, 1, 0, 1))
    public static let blue = UIColor(ColorComponents(0, 0, 1, 1))
    public static let cyan = UIColor(ColorComponents(0, 1, 1, 1))
    public static let yellow = UIColor(ColorComponents(1, 1, 0, 1))
    public static let magenta = UIColor(ColorComponents(1, 0, 1, 1))
    public static let orange = UIColor(ColorComponents(1, 0.5, 0, 1))
    public static let purple = UIColor(ColorComponents(0.5, 0, 0.5, 1))
    public static let brown = UIColor(ColorComponents(0.6, 0.4, 0.2, 1))
    public static let clear = UIColor(ColorComponents(0, 0, 0, 0))
}

// Apple's values for colours that adapt to light and dark appearance.
extension UIColor {
    public static let systemRed = system((255, 59, 48, 1), (255, 69, 58, 1))
    public static let systemOrange = system((255, 149, 0, 1), (255, 159, 10, 1))
    public static let systemYellow = system((255, 204, 0, 1), (255, 214, 10, 1))
    public static let systemGreen = system((52, 199, 89, 1), (48, 209, 88, 1))
    public static let systemMint = system((0, 199, 190, 1), (99, 230, 226, 1))
    public static let systemTeal = system((48, 176, 199, 1), (64, 200, 224, 1))
    public static let systemCyan = system((50, 173, 230, 1), (100, 210, 255, 1))
    public static let systemBlue = system((0, 122, 255, 1), (10, 132, 255, 1))
    public static let systemIndigo = system((88, 86, 214, 1), (94, 92, 230, 1))
    public static let systemPurple = system((175, 82, 222, 1), (191, 90, 242, 1))
    public static let systemPink = system((255, 45, 85, 1), (255, 55, 95, 1))
    public static let systemBrown = system((162, 132, 94, 1), (172, 142, 104, 1))
    public static let systemGray = system((142, 142, 147, 1), (142, 142, 147, 1))
    public static let systemGray2 = system((174, 174, 178, 1), (99, 99, 102, 1))
    public static let systemGray3 = system((199, 199, 204, 1), (72, 72, 74, 1))
    public static let systemGray4 = system((209, 209, 214, 1), (58, 58, 60, 1))
    public static let systemGray5 = system((229, 229, 234, 1), (44, 44, 46, 1))
    public static let systemGray6 = system((242, 242, 247, 1), (28, 28, 30, 1))
    public static let tintColor = system((0, 122, 255, 1), (10, 132, 255, 1))

    /// Creates a colour from red, green and blue from 0 to 255, and alpha from 0 to 1.
    static func system(
        _ light: (Double, Double, Double, Double),
        _ dark: (Double, Double, Double, Double)
    ) -> UIColor {
        UIColor(
            light: ColorComponents(light.0 / 255, light.1 / 255, light.2 / 255, light.3),
            dark: ColorComponents(dark.0 / 255, dark.1 / 255, dark.2 / 255, dark.3)
        )
    }
}

// Apple's values for colours by purpose.
extension UIColor {
    public static let label = system((0, 0, 0, 1), (255, 255, 255, 1))
    public static let secondaryLabel = system((60, 60, 67, 0.6), (235, 235, 245, 0.6))
    public static let tertiaryLabel = system((60, 60, 67, 0.3), (235, 235, 245, 0.3))
    public static let quaternaryLabel = system((60, 60, 67, 0.18), (235, 235, 245, 0.16))
    public static let placeholderText = system((60, 60, 67, 0.3), (235, 235, 245, 0.3))
    public static let separator = system((60, 60, 67, 0.29), (84, 84, 88, 0.6))
    public static let opaqueSeparator = system((198, 198, 200, 1), (56, 56, 58, 1))
    public static let link = system((0, 122, 255, 1), (9, 132, 255, 1))
    public static let darkText = system((0, 0, 0, 1), (0, 0, 0, 1))
    public static let lightText = system((255, 255, 255, 0.6), (255, 255, 255, 0.6))
    public static let systemFill = system((120, 120, 128, 0.2), (120, 120, 128, 0.36))
    public static let secondarySystemFill = system((120, 120, 128, 0.16), (120, 120, 128, 0.32))
    public static let tertiarySystemFill = system((118, 118, 128, 0.12), (118, 118, 128, 0.24))
    public static let quaternarySystemFill = system((116, 116, 128, 0.08), (118, 118, 128, 0.18))
    public static let systemBackground = system((255, 255, 255, 1), (0, 0, 0, 1))
    public static let secondarySystemBackground = system((242, 242, 247, 1), (28, 28, 30, 1))
    public static let tertiarySystemBackground = system((255, 255, 255, 1), (44, 44, 46, 1))
    public static let systemGroupedBackground = system((242, 242, 247, 1), (0, 0, 0, 1))
    public static let secondarySystemGroupedBackground = system((255, 255, 255, 1), (28, 28, 30, 1))
    public static let tertiarySystemGroupedBackground = system((242, 242, 247, 1), (44, 44, 46, 1))
}

/// The colours that an asset catalogue can refer to by name instead of by value.
enum ReferencedColors {
    /// Returns the colour with a catalogue name, for example `systemBlueColor`.
    static func named(_ name: String) -> UIColor? {
        guard name.hasSuffix("Color") else { return nil }
        return all[String(name.dropLast(5))]
    }

    static let all: [String: UIColor] = [
        "black": .black,
        "darkGray": .darkGray,
        "lightGray": .lightGray,
        "white": .white,
        "gray": .gray,
        "red": .red,
        "green": .green,
        "blue": .blue,
        "cyan": .cyan,
        "yellow": .yellow,
        "magenta": .magenta,
        "orange": .orange,
        "purple": .purple,
        "brown": .brown,
        "clear": .clear,
        "systemRed": .systemRed,
        "systemOrange": .systemOrange,
        "systemYellow": .systemYellow,
        "systemGreen": .systemGreen,
        "systemMint": .systemMint,
        "systemTeal": .systemTeal,
        "systemCyan": .systemCyan,
        "systemBlue": .systemBlue,
        "systemIndigo": .systemIndigo,
        "systemPurple": .systemPurple,
        "systemPink": .systemPink,
        "systemBrown": .systemBrown,
        "systemGray": .systemGray,
        "systemGray2": .systemGray2,
        "systemGray3": .systemGray3,
        "systemGray4": .systemGray4,
        "systemGray5": .systemGray5,
        "systemGray6": .systemGray6,
        "tintColor": .tintColor,
        "label": .label,
        "secondaryLabel": .secondaryLabel,
        "tertiaryLabel": .tertiaryLabel,
        "quaternaryLabel": .quaternaryLabel,
        "placeholderText": .placeholderText,
        "separator": .separator,
        "opaqueSeparator": .opaqueSeparator,
        "link": .link,
        "darkText": .darkText,
        "lightText": .lightText,
        "systemFill": .systemFill,
        "secondarySystemFill": .secondarySystemFill,
        "tertiarySystemFill": .tertiarySystemFill,
        "quaternarySystemFill": .quaternarySystemFill,
        "systemBackground": .systemBackground,
        "secondarySystemBackground": .secondarySystemBackground,
        "tertiarySystemBackground": .tertiarySystemBackground,
        "systemGroupedBackground": .systemGroupedBackground,
        "secondarySystemGroupedBackground": .secondarySystemGroupedBackground,
        "tertiarySystemGroupedBackground": .tertiarySystemGroupedBackground,
    ]
}
