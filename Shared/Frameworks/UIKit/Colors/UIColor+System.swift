// Apple's values for colours that suit a light and a dark desktop.
extension UIColor {
    /// Red.
    public static let systemRed = system((255, 59, 48, 1), (255, 69, 58, 1))

    /// Orange.
    public static let systemOrange = system((255, 149, 0, 1), (255, 159, 10, 1))

    /// Yellow.
    public static let systemYellow = system((255, 204, 0, 1), (255, 214, 10, 1))

    /// Green.
    public static let systemGreen = system((52, 199, 89, 1), (48, 209, 88, 1))

    /// Mint.
    public static let systemMint = system((0, 199, 190, 1), (99, 230, 226, 1))

    /// Teal.
    public static let systemTeal = system((48, 176, 199, 1), (64, 200, 224, 1))

    /// Cyan.
    public static let systemCyan = system((50, 173, 230, 1), (100, 210, 255, 1))

    /// Blue.
    public static let systemBlue = system((0, 122, 255, 1), (10, 132, 255, 1))

    /// Indigo.
    public static let systemIndigo = system((88, 86, 214, 1), (94, 92, 230, 1))

    /// Purple.
    public static let systemPurple = system((175, 82, 222, 1), (191, 90, 242, 1))

    /// Pink.
    public static let systemPink = system((255, 45, 85, 1), (255, 55, 95, 1))

    /// Brown.
    public static let systemBrown = system((162, 132, 94, 1), (172, 142, 104, 1))

    /// Grey.
    public static let systemGray = system((142, 142, 147, 1), (142, 142, 147, 1))

    /// Grey, nearer to the ground.
    public static let systemGray2 = system((174, 174, 178, 1), (99, 99, 102, 1))

    /// Grey, nearer still.
    public static let systemGray3 = system((199, 199, 204, 1), (72, 72, 74, 1))

    /// Grey, nearer still.
    public static let systemGray4 = system((209, 209, 214, 1), (58, 58, 60, 1))

    /// Grey, nearer still.
    public static let systemGray5 = system((229, 229, 234, 1), (44, 44, 46, 1))

    /// Grey, almost the ground.
    public static let systemGray6 = system((242, 242, 247, 1), (28, 28, 30, 1))

    /// What can be pressed.
    public static let tintColor = system((0, 122, 255, 1), (10, 132, 255, 1))

    /// Parts from 0 to 255, and how opaque it is.
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
