package import STContracts

/// A style of which nobody needs to know the kind.
public struct AnyShapeStyle: ShapeStyle, PaintStyle {
    private let style: any ShapeStyle

    /// Any style.
    public init<S: ShapeStyle>(_ style: S) { self.style = style }

    package func paint(in environment: EnvironmentValues) -> PagePaint { Paint.of(style, environment) }

    /// As one colour, which may still be another one on dark ground.
    func color(in environment: EnvironmentValues) -> Color? {
        if let color = style as? Color, case .pair = color.source { return color }
        // What can be pressed has the colour of what can be pressed: somebody has to say which.
        var outside = environment
        outside.look.tint = nil
        outside.look.colorScheme = nil
        return Paint.of(style, outside).single.map {
            Color(light: RGBA(hex: $0.light), dark: RGBA(hex: $0.dark))
        }
    }
}
