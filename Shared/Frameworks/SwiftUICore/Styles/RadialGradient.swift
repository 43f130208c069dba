public import Foundation
package import STContracts

/// Colours that turn into each other from the middle outwards.
public struct RadialGradient: Sendable {
    private let gradient: Gradient
    private let center: UnitPoint

    /// Around a point; the radii are those of the area.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
        self.center = center
    }

    /// Around a point; the radii are those of the area.
    public init(colors: [Color], center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.init(
            gradient: Gradient(colors: colors),
            center: center,
            startRadius: startRadius,
            endRadius: endRadius
        )
    }
}

extension RadialGradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .radial, stops: gradient.page(in: environment), from: center.parts)
    }
}

extension RadialGradient: View, PrimitiveView {
    /// It is an area.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension ShapeStyle where Self == RadialGradient {
    /// Around a point.
    public static func radialGradient(
        _ gradient: Gradient,
        center: UnitPoint,
        startRadius: CGFloat,
        endRadius: CGFloat
    ) -> RadialGradient {
        RadialGradient(gradient: gradient, center: center, startRadius: startRadius, endRadius: endRadius)
    }
}
