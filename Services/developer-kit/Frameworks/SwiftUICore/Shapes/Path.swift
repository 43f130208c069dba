public import Foundation
public import UIKit

public struct Path: Equatable, Sendable {
    public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }

    private var outline = Outline()

    public init() {}

    public init(_ callback: (inout Path) -> Void) { callback(&self) }

    public init(_ rect: CGRect) { addRect(rect) }

    public init(_ path: CGPath) { outline = path.outline }

    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }

    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(
            roundedRect: rect,
            cornerSize: CGSize(width: cornerRadius, height: cornerRadius),
            style: style
        )
    }

    public var isEmpty: Bool { outline.elements.isEmpty }
    public var currentPoint: CGPoint? { outline.currentPoint }
    public var boundingRect: CGRect { outline.boundingRect ?? .zero }
    public var cgPath: CGPath { CGPath(outline: outline) }

    public func forEach(_ body: (Path.Element) -> Void) {
        for element in outline.elements {
            switch element {
            case .move(let to): body(.move(to: to))
            case .line(let to): body(.line(to: to))
            case .quadCurve(let to, let control): body(.quadCurve(to: to, control: control))
            case .curve(let to, let first, let second):
                body(.curve(to: to, control1: first, control2: second))
            case .closeSubpath: body(.closeSubpath)
            }
        }
    }

    public mutating func move(to end: CGPoint) { outline.append(.move(to: end)) }

    public mutating func addLine(to end: CGPoint) { outline.append(.line(to: end)) }

    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        outline.append(.quadCurve(to: end, control: control))
    }

    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        outline.append(.curve(to: end, control1: control1, control2: control2))
    }

    public mutating func closeSubpath() { outline.append(.closeSubpath) }

    public mutating func addRect(_ rect: CGRect) { outline.addRect(rect) }

    public mutating func addRects(_ rects: [CGRect]) {
        for rect in rects { addRect(rect) }
    }

    public mutating func addLines(_ lines: [CGPoint]) { outline.addLines(lines) }

    public mutating func addPath(_ path: Path) { outline.append(path.outline) }

    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        var path = self
        path.outline = outline.mapped { CGPoint(x: $0.x + dx, y: $0.y + dy) }
        return path
    }

    public func applying(_ transform: CGAffineTransform) -> Path {
        var path = self
        path.outline = outline.mapped { $0.applying(transform) }
        return path
    }

    /// Adds an arc. As in Apple's implementation, `clockwise` appears counterclockwise on a screen, because its y axis points
    /// down.
    public mutating func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: Angle,
        endAngle: Angle,
        clockwise: Bool
    ) {
        outline.addArc(
            center,
            radius,
            from: startAngle.radians,
            to: endAngle.radians,
            clockwise: clockwise
        )
    }

    public mutating func addRelativeArc(center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle) {
        outline.addArc(center, radius, from: startAngle.radians, by: delta.radians)
    }

    public mutating func addEllipse(in rect: CGRect) { outline.addEllipse(in: rect) }

    public mutating func addRoundedRect(
        in rect: CGRect,
        cornerSize: CGSize,
        style: RoundedCornerStyle = .continuous
    ) { outline.addRoundedRect(in: rect, cornerSize) }

    /// The path in the syntax of SVG.
    package var svg: String { outline.svg }
}

extension Path: Shape {
    public func path(in rect: CGRect) -> Path { self }
}
