package import STContracts

/// Colours that turn into each other around a point.
public struct AngularGradient: Sendable {
    private let gradient: Gradient
    private let center: UnitPoint

    /// From one angle to another; a page has them all around.
    public init(
        gradient: Gradient,
        center: UnitPoint,
        startAngle: Angle = .zero,
        endAngle: Angle = .degrees(360)
    ) {
        self.gradient = gradient
        self.center = center
    }

    /// All around, from an angle on.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle) {
        self.init(gradient: gradient, center: center, startAngle: angle)
    }

    /// From one angle to another.
    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(gradient: Gradient(colors: colors), center: center)
    }

    /// All around, from an angle on.
    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(colors: colors), center: center)
    }
}

extension AngularGradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .angular, stops: gradient.page(in: environment), from: center.parts)
    }
}

extension AngularGradient: View, PrimitiveView {
    /// It is an area.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}
