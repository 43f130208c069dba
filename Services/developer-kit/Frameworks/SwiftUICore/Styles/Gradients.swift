public import Foundation
package import STContracts

public struct Gradient: Hashable, Sendable {
    public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: CGFloat

        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }

    public var stops: [Gradient.Stop]

    public init(stops: [Gradient.Stop]) { self.stops = stops }

    public init(colors: [Color]) {
        let last = CGFloat(max(1, colors.count - 1))
        stops = colors.enumerated().map { Stop(color: $0.element, location: CGFloat($0.offset) / last) }
    }

    package func page(in environment: EnvironmentValues) -> [PageStop] {
        stops.map { PageStop(color: $0.color.page(in: environment), at: min(1, max(0, Double($0.location)))) }
    }
}

extension Gradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .linear, stops: page(in: environment), from: [0.5, 0], to: [0.5, 1])
    }
}

public struct AnyGradient: Hashable, ShapeStyle, PaintStyle {
    private let gradient: Gradient

    public init(_ gradient: Gradient) { self.gradient = gradient }

    package func paint(in environment: EnvironmentValues) -> PagePaint { gradient.paint(in: environment) }
}

public struct LinearGradient: Sendable {
    private let gradient: Gradient
    private let startPoint: UnitPoint
    private let endPoint: UnitPoint

    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        self.startPoint = startPoint
        self.endPoint = endPoint
    }

    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }

    public init(stops: [Gradient.Stop], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(stops: stops), startPoint: startPoint, endPoint: endPoint)
    }
}

extension LinearGradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(
            kind: .linear,
            stops: gradient.page(in: environment),
            from: startPoint.parts,
            to: endPoint.parts
        )
    }
}

extension LinearGradient: View, PrimitiveView {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension ShapeStyle where Self == LinearGradient {
    public static func linearGradient(_ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint)
        -> LinearGradient
    { LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint) }

    public static func linearGradient(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint)
        -> LinearGradient
    { LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint) }
}

public struct RadialGradient: Sendable {
    private let gradient: Gradient
    private let center: UnitPoint

    /// Ignores the radii. The colours fill the area.
    public init(gradient: Gradient, center: UnitPoint, startRadius: CGFloat, endRadius: CGFloat) {
        self.gradient = gradient
        self.center = center
    }

    /// Ignores the radii. The colours fill the area.
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
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension ShapeStyle where Self == RadialGradient {
    public static func radialGradient(
        _ gradient: Gradient,
        center: UnitPoint,
        startRadius: CGFloat,
        endRadius: CGFloat
    ) -> RadialGradient {
        RadialGradient(gradient: gradient, center: center, startRadius: startRadius, endRadius: endRadius)
    }
}

/// A radial gradient with the proportions of its area.
public struct EllipticalGradient: Sendable {
    private let gradient: RadialGradient

    /// Ignores the fractions. The colours fill the area.
    public init(
        gradient: Gradient,
        center: UnitPoint = .center,
        startRadiusFraction: CGFloat = 0,
        endRadiusFraction: CGFloat = 0.5
    ) {
        self.gradient = RadialGradient(gradient: gradient, center: center, startRadius: 0, endRadius: 0)
    }

    /// Ignores the fractions. The colours fill the area.
    public init(
        colors: [Color],
        center: UnitPoint = .center,
        startRadiusFraction: CGFloat = 0,
        endRadiusFraction: CGFloat = 0.5
    ) { self.init(gradient: Gradient(colors: colors), center: center) }
}

extension EllipticalGradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint { gradient.paint(in: environment) }
}

extension EllipticalGradient: View, PrimitiveView {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(gradient) }
}

public struct AngularGradient: Sendable {
    private let gradient: Gradient
    private let center: UnitPoint

    /// Ignores the angles. The colours always go all the way around.
    public init(
        gradient: Gradient,
        center: UnitPoint,
        startAngle: Angle = .zero,
        endAngle: Angle = .degrees(360)
    ) {
        self.gradient = gradient
        self.center = center
    }

    public init(gradient: Gradient, center: UnitPoint, angle: Angle) {
        self.init(gradient: gradient, center: center, startAngle: angle)
    }

    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(gradient: Gradient(colors: colors), center: center)
    }

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
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}
