public import Foundation
package import STContracts

public nonisolated protocol Shape: Sendable, Animatable, View {
    func path(in rect: CGRect) -> Path
}

extension Shape {
    @MainActor @preconcurrency
    public var body: _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, fill: AnyShapeStyle(ForegroundStyle()))
    }

    @MainActor @preconcurrency
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Self, S> {
        _ShapeView(shape: self, fill: AnyShapeStyle(content))
    }

    @MainActor @preconcurrency
    public func fill(style: FillStyle = FillStyle()) -> _ShapeView<Self, ForegroundStyle> { body }

    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> _ShapeView<Self, S> {
        stroke(content, style: StrokeStyle(lineWidth: lineWidth))
    }

    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool)
        -> _ShapeView<Self, S>
    { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }

    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { _ShapeView(shape: self, stroke: AnyShapeStyle(content), line: style) }

    @MainActor @preconcurrency
    public func stroke(lineWidth: CGFloat = 1) -> _ShapeView<Self, ForegroundStyle> {
        stroke(ForegroundStyle(), lineWidth: lineWidth)
    }

    @MainActor @preconcurrency
    public func stroke(style: StrokeStyle) -> _ShapeView<Self, ForegroundStyle> {
        stroke(ForegroundStyle(), style: style)
    }

    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
        ChangedShape(shape: self) {
            $0.shape.trimFrom = min(1, max(0, Length.of(startFraction)))
            $0.shape.trimTo = min(1, max(0, Length.of(endFraction)))
        }
    }

    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        ChangedShape(shape: self) { $0.rotation += angle.degrees }
    }

    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        ChangedShape(shape: self) {
            $0.x += Length.of(x)
            $0.y += Length.of(y)
        }
    }

    public func offset(_ offset: CGSize) -> some Shape { self.offset(x: offset.width, y: offset.height) }

    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
        ChangedShape(shape: self) { $0.scale *= Length.of(scale) }
    }

    public func size(width: CGFloat, height: CGFloat) -> some Shape {
        ChangedShape(shape: self) { $0.size = CGSize(width: width, height: height) }
    }
}

public protocol Animatable {}

public nonisolated protocol InsettableShape: Shape {
    associatedtype InsetShape: InsettableShape

    func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
    @MainActor @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { stroke(content, lineWidth: lineWidth) }

    @MainActor @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { stroke(content, style: style) }

    @MainActor @preconcurrency
    public func strokeBorder(lineWidth: CGFloat = 1, antialiased: Bool = true) -> _ShapeView<
        Self, ForegroundStyle
    > { stroke(lineWidth: lineWidth) }
}

struct InsetShapeBox<Base: InsettableShape>: InsettableShape, KnownShape {
    let shape: Base
    let amount: CGFloat

    func path(in rect: CGRect) -> Path { shape.path(in: rect.insetBy(dx: amount, dy: amount)) }

    func inset(by more: CGFloat) -> InsetShapeBox { InsetShapeBox(shape: shape, amount: amount + more) }

    func outline(in room: CGSize) -> ShapeOutline { ShapeOutline.of(shape, in: room) }
}

public struct _ShapeView<Content: Shape, Style: ShapeStyle>: View, PrimitiveView {
    public typealias Body = Never

    let shape: Content
    var fill: AnyShapeStyle?
    var stroke: AnyShapeStyle?
    var line = StrokeStyle()

    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }

    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { _ShapeView<Content, S>(shape: shape, fill: fill, stroke: AnyShapeStyle(content), line: style) }

    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { stroke(content, lineWidth: lineWidth) }

    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Content, S> {
        _ShapeView<Content, S>(shape: shape, fill: AnyShapeStyle(content), stroke: stroke, line: line)
    }

    package func write(_ page: PageWriter) throws {
        var outline = ShapeOutline.of(shape, in: page.environment.look.room)
        outline.shape.fill = fill?.paint(in: page.environment)
        outline.shape.stroke = stroke?.paint(in: page.environment)
        if stroke != nil { outline.shape.lineWidth = max(0, Length.of(line.lineWidth)) }
        let element = try page.add(PageNode(kind: .shape, shape: outline.shape, isDecoration: true))
        if let size = outline.size {
            element.wrap(.frame) {
                $0.frame = PageFrame(width: Length.of(size.width), height: Length.of(size.height))
            }
        }
        if outline.x != 0 || outline.y != 0 {
            element.wrap(.offset) { ($0.offsetX, $0.offsetY) = (outline.x, outline.y) }
        }
        if outline.rotation != 0 { element.wrap(.rotation) { $0.rotation = outline.rotation } }
        if outline.scale != 1 { element.wrap(.scale) { $0.scale = outline.scale } }
    }
}

/// A shape of a page, with the transformations of the whole shape.
package struct ShapeOutline {
    package var shape: PageShape
    package var rotation = 0.0
    package var x = 0.0
    package var y = 0.0
    package var scale = 1.0
    package var size: CGSize?

    package init(_ shape: PageShape) { self.shape = shape }

    package static func of<S: Shape>(_ shape: S, in room: CGSize) -> ShapeOutline {
        if let known = shape as? any KnownShape { return known.outline(in: room) }
        let path = shape.path(in: CGRect(origin: .zero, size: room))
        var outline = ShapeOutline(PageShape(kind: .path, path: path.svg))
        outline.size = room
        return outline
    }
}

/// A shape that a page can describe by name.
package protocol KnownShape {
    func outline(in room: CGSize) -> ShapeOutline
}

/// A shape with a transformation.
struct ChangedShape<Base: Shape>: Shape, KnownShape {
    let shape: Base
    let change: @Sendable (inout ShapeOutline) -> Void

    func path(in rect: CGRect) -> Path { shape.path(in: rect) }

    func outline(in room: CGSize) -> ShapeOutline {
        var outline = ShapeOutline.of(shape, in: room)
        change(&outline)
        return outline
    }
}

public struct FillStyle: Equatable, Sendable {
    public var isEOFilled: Bool
    public var isAntialiased: Bool

    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}

/// The style of a stroke. Only the line width has an effect.
public struct StrokeStyle: Equatable, Sendable {
    public enum LineCap: Int32, Sendable {
        case butt, round, square
    }

    public enum LineJoin: Int32, Sendable {
        case miter, round, bevel
    }

    public var lineWidth: CGFloat
    public var lineCap: LineCap
    public var lineJoin: LineJoin
    public var miterLimit: CGFloat
    public var dash: [CGFloat]
    public var dashPhase: CGFloat

    public init(
        lineWidth: CGFloat = 1,
        lineCap: LineCap = .butt,
        lineJoin: LineJoin = .miter,
        miterLimit: CGFloat = 10,
        dash: [CGFloat] = [],
        dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

/// The name in Core Graphics.
public typealias CGLineCap = StrokeStyle.LineCap

/// The name in Core Graphics.
public typealias CGLineJoin = StrokeStyle.LineJoin
