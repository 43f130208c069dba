package import STContracts

/// What words are written in, in more or less weight.
public struct HierarchicalShapeStyle: ShapeStyle, PaintStyle {
    private let level: Int

    /// As words are.
    public static let primary = HierarchicalShapeStyle(level: 0)
    /// With less weight.
    public static let secondary = HierarchicalShapeStyle(level: 1)
    /// With little weight.
    public static let tertiary = HierarchicalShapeStyle(level: 2)
    /// With the least weight.
    public static let quaternary = HierarchicalShapeStyle(level: 3)
    /// With next to none.
    public static let quinary = HierarchicalShapeStyle(level: 4)

    /// How much of a colour is left.
    private static let opacities = [1, 0.6, 0.3, 0.18, 0.1]

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        guard let base = environment.look.foreground else {
            let color = Color.primary.opacity(Self.opacities[level])
            return (level == 1 ? Color.secondary : color).paint(in: environment)
        }
        var outside = environment
        outside.look.foreground = nil
        var paint = base.paint(in: outside)
        guard level > 0 else { return paint }
        let opacity = Self.opacities[level]
        paint.color = paint.color.map { Self.fade($0, opacity) }
        paint.stops = paint.stops?.map { PageStop(color: Self.fade($0.color, opacity), at: $0.at) }
        return paint
    }

    private static func fade(_ color: PageColor, _ opacity: Double) -> PageColor {
        PageColor(
            light: RGBA(hex: color.light).with(opacity: opacity).hex,
            dark: RGBA(hex: color.dark).with(opacity: opacity).hex
        )
    }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    /// As words are.
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle.primary }
    /// With less weight.
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle.secondary }
    /// With little weight.
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle.tertiary }
    /// With the least weight.
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle.quaternary }
    /// With next to none.
    public static var quinary: HierarchicalShapeStyle { HierarchicalShapeStyle.quinary }
}
