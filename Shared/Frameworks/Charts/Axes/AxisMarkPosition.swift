/// On which side an axis stands; here that is always the usual one.
public struct AxisMarkPosition: Hashable, Sendable {
    /// The usual one.
    public static let automatic = AxisMarkPosition()

    /// Before the chart.
    public static let leading = AxisMarkPosition()

    /// Behind the chart.
    public static let trailing = AxisMarkPosition()

    /// Above the chart.
    public static let top = AxisMarkPosition()

    /// Below the chart.
    public static let bottom = AxisMarkPosition()
}

/// How an axis looks; here it always looks the same.
public struct AxisMarkPreset: Hashable, Sendable {
    /// As usual.
    public static let automatic = AxisMarkPreset()

    /// Outside of the chart.
    public static let extended = AxisMarkPreset()

    /// In line with the chart's edges.
    public static let aligned = AxisMarkPreset()

    /// Inside of the chart.
    public static let inset = AxisMarkPreset()
}

/// What becomes of words of an axis that lie over each other.
public struct AxisValueLabelCollisionResolution: Hashable, Sendable {
    /// What seems best.
    public static let automatic = AxisValueLabelCollisionResolution()

    /// Some are left out.
    public static let greedy = AxisValueLabelCollisionResolution()

    /// Nothing.
    public static let disabled = AxisValueLabelCollisionResolution()

    /// Some are left out.
    public static func greedy(priority: Double = 0, minimumSpacing: Double? = nil)
        -> AxisValueLabelCollisionResolution
    {
        AxisValueLabelCollisionResolution()
    }
}

/// In which direction words of an axis go; here always as text does.
public struct AxisValueLabelOrientation: Hashable, Sendable {
    /// What seems best.
    public static let automatic = AxisValueLabelOrientation()

    /// As text does.
    public static let horizontal = AxisValueLabelOrientation()

    /// Upwards.
    public static let vertical = AxisValueLabelOrientation()

    /// Downwards.
    public static let verticalReversed = AxisValueLabelOrientation()
}
