public import Foundation
import STContracts

public struct MarkDimension: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Sendable {
    let kind: PageRadiusKind
    let value: Double?

    private init(_ kind: PageRadiusKind, _ value: CGFloat?) {
        self.kind = kind
        self.value = value.map { Double($0) }
    }

    public init(integerLiteral value: Int) { self.init(.fixed, CGFloat(value)) }

    public init(floatLiteral value: Double) { self.init(.fixed, CGFloat(value)) }

    public static var automatic: MarkDimension { MarkDimension(.automatic, nil) }

    public static func inset(_ value: CGFloat) -> MarkDimension { MarkDimension(.inset, value) }

    public static func fixed(_ value: CGFloat) -> MarkDimension { MarkDimension(.fixed, value) }

    public static func ratio(_ value: CGFloat) -> MarkDimension { MarkDimension(.ratio, value) }

    /// The length as the page describes it. `nil` if the length is automatic or is not a finite number.
    var page: PageRadius? {
        guard kind != .automatic, let value, value.isFinite else { return nil }
        return PageRadius(kind: kind, value: kind == .ratio ? min(max(value, 0), 1) : value)
    }
}

public struct MarkStackingMethod: Hashable, Sendable {
    enum Kind: Sendable {
        case standard, normalized, center, unstacked
    }

    let kind: Kind

    public static var standard: MarkStackingMethod { MarkStackingMethod(kind: .standard) }
    public static var normalized: MarkStackingMethod { MarkStackingMethod(kind: .normalized) }
    public static var center: MarkStackingMethod { MarkStackingMethod(kind: .center) }
    public static var unstacked: MarkStackingMethod { MarkStackingMethod(kind: .unstacked) }
}

/// The interpolation of a line. It has no effect, because lines are always straight.
public struct InterpolationMethod: Hashable, Sendable {
    public static var linear: InterpolationMethod { InterpolationMethod() }
    public static var catmullRom: InterpolationMethod { InterpolationMethod() }

    public static func catmullRom(alpha: CGFloat) -> InterpolationMethod { InterpolationMethod() }

    public static var cardinal: InterpolationMethod { InterpolationMethod() }

    public static func cardinal(tension: CGFloat) -> InterpolationMethod { InterpolationMethod() }

    public static var monotone: InterpolationMethod { InterpolationMethod() }
    public static var stepStart: InterpolationMethod { InterpolationMethod() }
    public static var stepCenter: InterpolationMethod { InterpolationMethod() }
    public static var stepEnd: InterpolationMethod { InterpolationMethod() }
}

public protocol ChartSymbolShape {}

public struct BasicChartSymbolShape: ChartSymbolShape, Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    public static let circle = BasicChartSymbolShape("circle")
    public static let square = BasicChartSymbolShape("square")
    public static let triangle = BasicChartSymbolShape("triangle")
    public static let diamond = BasicChartSymbolShape("diamond")
    public static let pentagon = BasicChartSymbolShape("pentagon")
    public static let plus = BasicChartSymbolShape("plus")
    public static let cross = BasicChartSymbolShape("cross")
    public static let asterisk = BasicChartSymbolShape("asterisk")
}

extension ChartSymbolShape where Self == BasicChartSymbolShape {
    public static var circle: BasicChartSymbolShape { .circle }
    public static var square: BasicChartSymbolShape { .square }
    public static var triangle: BasicChartSymbolShape { .triangle }
    public static var diamond: BasicChartSymbolShape { .diamond }
    public static var pentagon: BasicChartSymbolShape { .pentagon }
    public static var plus: BasicChartSymbolShape { .plus }
    public static var cross: BasicChartSymbolShape { .cross }
    public static var asterisk: BasicChartSymbolShape { .asterisk }
}

public struct AnnotationPosition: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    public static let automatic = AnnotationPosition("automatic")
    public static let overlay = AnnotationPosition("overlay")
    public static let top = AnnotationPosition("top")
    public static let bottom = AnnotationPosition("bottom")
    public static let leading = AnnotationPosition("leading")
    public static let trailing = AnnotationPosition("trailing")
    public static let topLeading = AnnotationPosition("topLeading")
    public static let topTrailing = AnnotationPosition("topTrailing")
    public static let bottomLeading = AnnotationPosition("bottomLeading")
    public static let bottomTrailing = AnnotationPosition("bottomTrailing")
}

public struct AnnotationContext: Sendable {
    /// Always zero, because the size is only known when the mark is drawn.
    public var targetSize: CGSize { .zero }
}

public struct AnnotationOverflowResolution: Hashable, Sendable {
    public struct Strategy: Hashable, Sendable {
        public static var automatic: Strategy { Strategy() }
        public static var fit: Strategy { Strategy() }

        public static func fit(to boundary: Boundary) -> Strategy { Strategy() }

        public static var padScale: Strategy { Strategy() }
        public static var disabled: Strategy { Strategy() }
    }

    public struct Boundary: Hashable, Sendable {
        public static var automatic: Boundary { Boundary() }
        public static var chart: Boundary { Boundary() }
        public static var plot: Boundary { Boundary() }
    }

    public static var automatic: AnnotationOverflowResolution { AnnotationOverflowResolution() }

    public init(x: Strategy = .automatic, y: Strategy = .automatic) {}
}
