public import Foundation

/// An outline of lines and curves.
public struct Path: Equatable, Sendable {
    /// A step of it.
    public enum Element: Equatable, Sendable {
        /// Begins somewhere else.
        case move(to: CGPoint)
        /// A line.
        case line(to: CGPoint)
        /// A curve that one point pulls at.
        case quadCurve(to: CGPoint, control: CGPoint)
        /// A curve that two points pull at.
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        /// Back to where it began.
        case closeSubpath
    }

    /// Steps of a page's outline; more are left out.
    private static let elementsMax = 20_000

    private var elements: [Element] = []
    private var start = CGPoint.zero

    /// Where it has come to; nil before the first step.
    public private(set) var currentPoint: CGPoint?

    /// Nothing yet.
    public init() {}

    /// What the closure draws.
    public init(_ callback: (inout Path) -> Void) { callback(&self) }

    /// A rectangle.
    public init(_ rect: CGRect) { addRect(rect) }

    /// An oval.
    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

    /// A rectangle with round corners.
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }

    /// A rectangle with round corners.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(
            roundedRect: rect,
            cornerSize: CGSize(width: cornerRadius, height: cornerRadius),
            style: style
        )
    }

    /// Whether there is nothing.
    public var isEmpty: Bool { elements.isEmpty }

    /// The smallest area that has all its points.
    public var boundingRect: CGRect {
        let points = elements.flatMap { element -> [CGPoint] in
            switch element {
            case .move(let to), .line(let to): [to]
            case .quadCurve(let to, let control): [to, control]
            case .curve(let to, let first, let second): [to, first, second]
            case .closeSubpath: []
            }
        }
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
        else { return .zero }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Goes through its steps.
    public func forEach(_ body: (Path.Element) -> Void) { elements.forEach(body) }

    private mutating func append(_ element: Element, to point: CGPoint?) {
        guard elements.count < Self.elementsMax else { return }
        elements.append(element)
        currentPoint = point
    }

    /// Begins somewhere else.
    public mutating func move(to end: CGPoint) {
        start = end
        append(.move(to: end), to: end)
    }

    /// A line.
    public mutating func addLine(to end: CGPoint) {
        if currentPoint == nil { return move(to: end) }
        append(.line(to: end), to: end)
    }

    /// A curve that one point pulls at.
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        if currentPoint == nil { move(to: end) }
        append(.quadCurve(to: end, control: control), to: end)
    }

    /// A curve that two points pull at.
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        if currentPoint == nil { move(to: end) }
        append(.curve(to: end, control1: control1, control2: control2), to: end)
    }

    /// Back to where it began.
    public mutating func closeSubpath() {
        if currentPoint != nil { append(.closeSubpath, to: start) }
    }

    /// A rectangle.
    public mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }

    /// Several rectangles.
    public mutating func addRects(_ rects: [CGRect]) {
        for rect in rects { addRect(rect) }
    }

    /// Lines from point to point.
    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }

    /// Another outline.
    public mutating func addPath(_ path: Path) {
        for element in path.elements {
            switch element {
            case .move(let to): move(to: to)
            case .line(let to): addLine(to: to)
            case .quadCurve(let to, let control): addQuadCurve(to: to, control: control)
            case .curve(let to, let first, let second):
                addCurve(to: to, control1: first, control2: second)
            case .closeSubpath: closeSubpath()
            }
        }
    }

    /// Elsewhere.
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        mapped { CGPoint(x: $0.x + dx, y: $0.y + dy) }
    }

    private func mapped(_ point: (CGPoint) -> CGPoint) -> Path {
        var path = Path()
        for element in elements {
            switch element {
            case .move(let to): path.move(to: point(to))
            case .line(let to): path.addLine(to: point(to))
            case .quadCurve(let to, let control): path.addQuadCurve(to: point(to), control: point(control))
            case .curve(let to, let first, let second):
                path.addCurve(to: point(to), control1: point(first), control2: point(second))
            case .closeSubpath: path.closeSubpath()
            }
        }
        return path
    }
}

extension Path: Shape {
    /// It, wherever the area is.
    public func path(in rect: CGRect) -> Path { self }
}
