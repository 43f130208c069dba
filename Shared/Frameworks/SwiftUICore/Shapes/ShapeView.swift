public import Foundation
import STContracts

/// A shape that is filled, or drawn as a line, or both.
public struct _ShapeView<Content: Shape, Style: ShapeStyle>: View, PrimitiveView {
    /// It is what is seen of it.
    public typealias Body = Never

    let shape: Content
    var fill: AnyShapeStyle?
    var stroke: AnyShapeStyle?
    var line = StrokeStyle()

    /// With its line, too.
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }

    /// With its line, too.
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { _ShapeView<Content, S>(shape: shape, fill: fill, stroke: AnyShapeStyle(content), line: style) }

    /// With its line, too.
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Content, S>
    { stroke(content, lineWidth: lineWidth) }

    /// Filled, too.
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
