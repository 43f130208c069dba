package import STContracts

/// What words are written in where this stands.
public struct ForegroundStyle: ShapeStyle, PaintStyle {
    /// That.
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        HierarchicalShapeStyle.primary.paint(in: environment)
    }
}

extension ShapeStyle where Self == ForegroundStyle {
    /// What words are written in.
    public static var foreground: ForegroundStyle { ForegroundStyle() }
}
