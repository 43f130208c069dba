// Apple's values, the same on every desktop.
extension UIColor {
    /// Black.
    public static let black = UIColor(ColorComponents(0, 0, 0, 1))

    /// A third of white.
    public static let darkGray = UIColor(ColorComponents(1.0 / 3, 1.0 / 3, 1.0 / 3, 1))

    /// Two thirds of white.
    public static let lightGray = UIColor(ColorComponents(2.0 / 3, 2.0 / 3, 2.0 / 3, 1))

    /// White.
    public static let white = UIColor(ColorComponents(1, 1, 1, 1))

    /// Half of white.
    public static let gray = UIColor(ColorComponents(0.5, 0.5, 0.5, 1))

    /// Red.
    public static let red = UIColor(ColorComponents(1, 0, 0, 1))

    /// Green.
    public static let green = UIColor(ColorComponents(0, 1, 0, 1))

    /// Blue.
    public static let blue = UIColor(ColorComponents(0, 0, 1, 1))

    /// Green and blue.
    public static let cyan = UIColor(ColorComponents(0, 1, 1, 1))

    /// Red and green.
    public static let yellow = UIColor(ColorComponents(1, 1, 0, 1))

    /// Red and blue.
    public static let magenta = UIColor(ColorComponents(1, 0, 1, 1))

    /// Orange.
    public static let orange = UIColor(ColorComponents(1, 0.5, 0, 1))

    /// Purple.
    public static let purple = UIColor(ColorComponents(0.5, 0, 0.5, 1))

    /// Brown.
    public static let brown = UIColor(ColorComponents(0.6, 0.4, 0.2, 1))

    /// Nothing at all.
    public static let clear = UIColor(ColorComponents(0, 0, 0, 0))
}
