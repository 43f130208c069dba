/// The outline of a point.
public protocol ChartSymbolShape {}

/// One of the outlines there are.
public struct BasicChartSymbolShape: ChartSymbolShape, Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// A circle.
    public static let circle = BasicChartSymbolShape("circle")

    /// A square.
    public static let square = BasicChartSymbolShape("square")

    /// A triangle.
    public static let triangle = BasicChartSymbolShape("triangle")

    /// A square on its corner.
    public static let diamond = BasicChartSymbolShape("diamond")

    /// Five corners.
    public static let pentagon = BasicChartSymbolShape("pentagon")

    /// A plus sign.
    public static let plus = BasicChartSymbolShape("plus")

    /// Two lines that cross.
    public static let cross = BasicChartSymbolShape("cross")

    /// Three lines that cross.
    public static let asterisk = BasicChartSymbolShape("asterisk")
}

extension ChartSymbolShape where Self == BasicChartSymbolShape {
    /// A circle.
    public static var circle: BasicChartSymbolShape { .circle }

    /// A square.
    public static var square: BasicChartSymbolShape { .square }

    /// A triangle.
    public static var triangle: BasicChartSymbolShape { .triangle }

    /// A square on its corner.
    public static var diamond: BasicChartSymbolShape { .diamond }

    /// Five corners.
    public static var pentagon: BasicChartSymbolShape { .pentagon }

    /// A plus sign.
    public static var plus: BasicChartSymbolShape { .plus }

    /// Two lines that cross.
    public static var cross: BasicChartSymbolShape { .cross }

    /// Three lines that cross.
    public static var asterisk: BasicChartSymbolShape { .asterisk }
}
