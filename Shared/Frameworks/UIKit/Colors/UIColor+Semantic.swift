// Apple's values for colours by what they are for.
extension UIColor {
    /// Words.
    public static let label = system((0, 0, 0, 1), (255, 255, 255, 1))

    /// Words of less weight.
    public static let secondaryLabel = system((60, 60, 67, 0.6), (235, 235, 245, 0.6))

    /// Words of little weight.
    public static let tertiaryLabel = system((60, 60, 67, 0.3), (235, 235, 245, 0.3))

    /// Words of the least weight.
    public static let quaternaryLabel = system((60, 60, 67, 0.18), (235, 235, 245, 0.16))

    /// Where words may come.
    public static let placeholderText = system((60, 60, 67, 0.3), (235, 235, 245, 0.3))

    /// A line that lets through what is below.
    public static let separator = system((60, 60, 67, 0.29), (84, 84, 88, 0.6))

    /// A line.
    public static let opaqueSeparator = system((198, 198, 200, 1), (56, 56, 58, 1))

    /// What leads elsewhere.
    public static let link = system((0, 122, 255, 1), (9, 132, 255, 1))

    /// Words on light ground.
    public static let darkText = system((0, 0, 0, 1), (0, 0, 0, 1))

    /// Words on dark ground.
    public static let lightText = system((255, 255, 255, 0.6), (255, 255, 255, 0.6))

    /// A thin shape.
    public static let systemFill = system((120, 120, 128, 0.2), (120, 120, 128, 0.36))

    /// A shape of middle size.
    public static let secondarySystemFill = system((120, 120, 128, 0.16), (120, 120, 128, 0.32))

    /// A large shape.
    public static let tertiarySystemFill = system((118, 118, 128, 0.12), (118, 118, 128, 0.24))

    /// A large shape with much in it.
    public static let quaternarySystemFill = system((116, 116, 128, 0.08), (118, 118, 128, 0.18))

    /// The ground.
    public static let systemBackground = system((255, 255, 255, 1), (0, 0, 0, 1))

    /// What lies on the ground.
    public static let secondarySystemBackground = system((242, 242, 247, 1), (28, 28, 30, 1))

    /// What lies on that.
    public static let tertiarySystemBackground = system((255, 255, 255, 1), (44, 44, 46, 1))

    /// The ground of a list in groups.
    public static let systemGroupedBackground = system((242, 242, 247, 1), (0, 0, 0, 1))

    /// What lies on that ground.
    public static let secondarySystemGroupedBackground = system((255, 255, 255, 1), (28, 28, 30, 1))

    /// What lies on that.
    public static let tertiarySystemGroupedBackground = system((242, 242, 247, 1), (44, 44, 46, 1))
}
