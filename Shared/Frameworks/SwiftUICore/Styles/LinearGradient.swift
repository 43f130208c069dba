package import STContracts

/// Colours that turn into each other along a line.
public struct LinearGradient: Sendable {
    private let gradient: Gradient
    private let startPoint: UnitPoint
    private let endPoint: UnitPoint

    /// From one point to another.
    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        self.startPoint = startPoint
        self.endPoint = endPoint
    }

    /// From one point to another.
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }

    /// From one point to another.
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
    /// It is an area.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension ShapeStyle where Self == LinearGradient {
    /// From one point to another.
    public static func linearGradient(_ gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint)
        -> LinearGradient
    { LinearGradient(gradient: gradient, startPoint: startPoint, endPoint: endPoint) }

    /// From one point to another.
    public static func linearGradient(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint)
        -> LinearGradient
    { LinearGradient(colors: colors, startPoint: startPoint, endPoint: endPoint) }
}
