package import STContracts

/// Colours that turn into each other, from the top to the bottom.
public struct AnyGradient: Hashable, ShapeStyle, PaintStyle {
    private let gradient: Gradient

    /// With those colours.
    public init(_ gradient: Gradient) { self.gradient = gradient }

    package func paint(in environment: EnvironmentValues) -> PagePaint { gradient.paint(in: environment) }
}
