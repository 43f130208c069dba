package import Foundation

/// The lines and curves of `CGPath`, `UIBezierPath` and SwiftUI's `Path`.
package struct Outline: Equatable, Sendable {
    package enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath

        fileprivate var points: [CGPoint] {
            switch self {
            case .move(let to), .line(let to): [to]
            case .quadCurve(let to, let control): [control, to]
            case .curve(let to, let first, let second): [first, second, to]
            case .closeSubpath: []
            }
        }
    }

    /// The maximum number of elements. Further elements are ignored.
    private static let elementsMax = 20_000

    package private(set) var elements: [Element] = []
    private var start = CGPoint.zero

    package private(set) var currentPoint: CGPoint?

    package init() {}

    /// The smallest rectangle with all points, including the control points of curves.
    package var boundingRect: CGRect? {
        let points = elements.flatMap(\.points)
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
        else { return nil }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    package mutating func append(_ element: Element) {
        guard elements.count < Self.elementsMax else { return }
        switch element {
        case .move(let to): start = to
        case .line(let to) where currentPoint == nil: return append(.move(to: to))
        case .quadCurve(let to, _), .curve(let to, _, _):
            if currentPoint == nil { append(.move(to: to)) }
        case .closeSubpath where currentPoint == nil: return
        case .line, .closeSubpath: break
        }
        elements.append(element)
        currentPoint = element.points.last ?? start
    }

    package mutating func append(_ other: Outline) {
        for element in other.elements { append(element) }
    }

    package func mapped(_ point: (CGPoint) -> CGPoint) -> Outline {
        var outline = Outline()
        for element in elements {
            switch element {
            case .move(let to): outline.append(.move(to: point(to)))
            case .line(let to): outline.append(.line(to: point(to)))
            case .quadCurve(let to, let control):
                outline.append(.quadCurve(to: point(to), control: point(control)))
            case .curve(let to, let first, let second):
                outline.append(.curve(to: point(to), control1: point(first), control2: point(second)))
            case .closeSubpath: outline.append(.closeSubpath)
            }
        }
        return outline
    }

    package mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        append(.move(to: first))
        for point in lines.dropFirst() { append(.line(to: point)) }
    }

    package mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        append(.closeSubpath)
    }

    /// Adds an arc. As in Apple's implementation, `clockwise` appears counterclockwise on a screen, because its y axis points
    /// down.
    package mutating func addArc(
        _ center: CGPoint,
        _ radius: CGFloat,
        from start: Double,
        to end: Double,
        clockwise: Bool
    ) {
        var delta = end - start
        guard delta.isFinite else { return }
        let turn = 2 * Double.pi
        if abs(delta) >= turn, clockwise == (delta < 0) {
            delta = clockwise ? -turn : turn
        } else {
            delta = delta.truncatingRemainder(dividingBy: turn)
            if clockwise, delta > 0 { delta -= turn }
            if !clockwise, delta < 0 { delta += turn }
        }
        addArc(center, radius, from: start, by: delta)
    }

    package mutating func addArc(_ center: CGPoint, _ radius: CGFloat, from start: Double, by delta: Double) {
        func point(_ angle: Double) -> CGPoint {
            CGPoint(x: center.x + radius * CGFloat(cos(angle)), y: center.y + radius * CGFloat(sin(angle)))
        }
        guard delta.isFinite, start.isFinite else { return }
        if currentPoint != point(start) { append(.line(to: point(start))) }
        // One curve per quarter looks like a circle.
        let turn = min(2 * Double.pi, max(-2 * Double.pi, delta))
        let steps = max(1, Int((abs(turn) / (.pi / 2)).rounded(.up)))
        let step = turn / Double(steps)
        let reach = radius * CGFloat(4.0 / 3 * tan(step / 4))
        for index in 0..<steps {
            let from = start + step * Double(index)
            let to = from + step
            let (a, b) = (point(from), point(to))
            append(
                .curve(
                    to: b,
                    control1: CGPoint(
                        x: a.x - reach * CGFloat(sin(from)),
                        y: a.y + reach * CGFloat(cos(from))
                    ),
                    control2: CGPoint(x: b.x + reach * CGFloat(sin(to)), y: b.y - reach * CGFloat(cos(to)))
                )
            )
        }
    }

    package mutating func addEllipse(in rect: CGRect) {
        var circle = Outline()
        circle.append(.move(to: CGPoint(x: 1, y: 0)))
        circle.addArc(.zero, 1, from: 0, by: 2 * .pi)
        circle.append(.closeSubpath)
        append(
            circle.mapped {
                CGPoint(x: rect.midX + $0.x * rect.width / 2, y: rect.midY + $0.y * rect.height / 2)
            }
        )
    }

    package mutating func addRoundedRect(
        in rect: CGRect,
        _ radii: CGSize,
        corners: UIRectCorner = .allCorners
    ) {
        let x = max(0, min(radii.width, rect.width / 2))
        let y = max(0, min(radii.height, rect.height / 2))
        /// Adds a corner. `before` and `after` are the directions from the corner to its two ends.
        func corner(
            _ which: UIRectCorner,
            _ at: CGPoint,
            before: (CGFloat, CGFloat),
            after: (CGFloat, CGFloat)
        ) {
            guard corners.contains(which) else { return append(.line(to: at)) }
            append(.line(to: CGPoint(x: at.x + before.0 * x, y: at.y + before.1 * y)))
            append(.quadCurve(to: CGPoint(x: at.x + after.0 * x, y: at.y + after.1 * y), control: at))
        }
        append(
            .move(to: CGPoint(x: rect.minX + (corners.contains(.topLeft) ? x : 0), y: rect.minY))
        )
        corner(.topRight, CGPoint(x: rect.maxX, y: rect.minY), before: (-1, 0), after: (0, 1))
        corner(.bottomRight, CGPoint(x: rect.maxX, y: rect.maxY), before: (0, -1), after: (-1, 0))
        corner(.bottomLeft, CGPoint(x: rect.minX, y: rect.maxY), before: (1, 0), after: (0, -1))
        corner(.topLeft, CGPoint(x: rect.minX, y: rect.minY), before: (0, 1), after: (1, 0))
        append(.closeSubpath)
    }

    /// The outline in the syntax of SVG.
    package var svg: String { svg(parts: 100) }

    func svg(parts: CGFloat) -> String {
        elements.map { element in
            let letter =
                switch element {
                case .move: "M"
                case .line: "L"
                case .quadCurve: "Q"
                case .curve: "C"
                case .closeSubpath: "Z"
                }
            let numbers = element.points.flatMap { [$0.x, $0.y] }
            return letter + numbers.map { SVGNumber.text($0, parts: parts) }.joined(separator: " ")
        }.joined()
    }
}

public struct UIRectCorner: OptionSet, Sendable {
    public static let topLeft = UIRectCorner(rawValue: 1)
    public static let topRight = UIRectCorner(rawValue: 2)
    public static let bottomLeft = UIRectCorner(rawValue: 4)
    public static let bottomRight = UIRectCorner(rawValue: 8)
    public static let allCorners: UIRectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]

    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// Formats numbers in SVG. They are finite and short: hundredths are smaller than a pixel, and values that are scaled later have
/// more digits.
enum SVGNumber {
    static let fine: CGFloat = 1_000_000
    private static let most: CGFloat = 100_000

    static func text(_ value: CGFloat) -> String { text(value, parts: 100) }

    static func text(_ value: CGFloat, parts: CGFloat) -> String {
        guard !value.isNaN else { return "0" }
        let rounded = (max(-most, min(most, value)) * parts).rounded() / parts
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(Double(rounded))"
    }
}

public class CGPath {
    package fileprivate(set) var outline = Outline()

    fileprivate init(_ outline: Outline) { self.outline = outline }

    package convenience init(outline: Outline) { self.init(outline) }

    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(transform) { $0.addRect(rect) }
    }

    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(transform) { $0.addEllipse(in: rect) }
    }

    public convenience init(
        roundedRect rect: CGRect,
        cornerWidth: CGFloat,
        cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        self.init(transform) {
            $0.addRoundedRect(in: rect, CGSize(width: cornerWidth, height: cornerHeight))
        }
    }

    private convenience init(
        _ transform: UnsafePointer<CGAffineTransform>?,
        _ make: (inout Outline) -> Void
    ) {
        var outline = Outline()
        make(&outline)
        if let transform = transform?.pointee { outline = outline.mapped { $0.applying(transform) } }
        self.init(outline)
    }

    public var isEmpty: Bool { outline.elements.isEmpty }
    public var currentPoint: CGPoint { outline.currentPoint ?? .zero }
    /// The smallest rectangle with all points, including the control points of curves, as on a phone.
    public var boundingBox: CGRect {
        outline.boundingRect ?? CGRect(x: CGFloat.infinity, y: .infinity, width: 0, height: 0)
    }

    public func mutableCopy() -> CGMutablePath? {
        let copy = CGMutablePath()
        copy.outline = outline
        return copy
    }
}

public final class CGMutablePath: CGPath {
    public init() { super.init(Outline()) }

    public func move(to point: CGPoint) { outline.append(.move(to: point)) }

    public func addLine(to point: CGPoint) { outline.append(.line(to: point)) }

    public func addLines(between points: [CGPoint]) { outline.addLines(points) }

    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        outline.append(.quadCurve(to: end, control: control))
    }

    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        outline.append(.curve(to: end, control1: control1, control2: control2))
    }

    public func addRect(_ rect: CGRect) { outline.addRect(rect) }

    public func addEllipse(in rect: CGRect) { outline.addEllipse(in: rect) }

    public func addRoundedRect(in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat) {
        outline.addRoundedRect(in: rect, CGSize(width: cornerWidth, height: cornerHeight))
    }

    public func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        outline.addArc(
            center,
            radius,
            from: Double(startAngle),
            to: Double(endAngle),
            clockwise: clockwise
        )
    }

    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        outline.append(path.outline.mapped { $0.applying(transform) })
    }

    public func closeSubpath() { outline.append(.closeSubpath) }
}

extension CGRect {
    /// Returns the smallest rectangle that contains all transformed corners.
    public func applying(_ transform: CGAffineTransform) -> CGRect {
        CGPath(rect: self, transform: nil).outline.mapped { $0.applying(transform) }.boundingRect ?? self
    }
}

extension CGPoint {
    public func applying(_ transform: CGAffineTransform) -> CGPoint {
        CGPoint(
            x: transform.a * x + transform.c * y + transform.tx,
            y: transform.b * x + transform.d * y + transform.ty
        )
    }
}

/// A path with methods that fill and stroke it in the current context.
public class UIBezierPath: NSObject {
    private let path = CGMutablePath()

    public var cgPath: CGPath {
        get { path.mutableCopy() ?? path }
        set { path.outline = newValue.outline }
    }

    public var lineWidth: CGFloat = 1
    public var lineCapStyle = CGLineCap.butt
    public var lineJoinStyle = CGLineJoin.miter
    public var miterLimit: CGFloat = 10
    public var usesEvenOddFillRule = false
    private var dash: (phase: CGFloat, lengths: [CGFloat]) = (0, [])

    public override init() {}

    public convenience init(rect: CGRect) {
        self.init()
        path.addRect(rect)
    }

    public convenience init(ovalIn rect: CGRect) {
        self.init()
        path.addEllipse(in: rect)
    }

    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init()
        path.addRoundedRect(in: rect, cornerWidth: cornerRadius, cornerHeight: cornerRadius)
    }

    public convenience init(
        roundedRect rect: CGRect,
        byRoundingCorners corners: UIRectCorner,
        cornerRadii: CGSize
    ) {
        self.init()
        path.outline.addRoundedRect(in: rect, cornerRadii, corners: corners)
    }

    public convenience init(
        arcCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        self.init()
        addArc(
            withCenter: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: endAngle,
            clockwise: clockwise
        )
    }

    public convenience init(cgPath: CGPath) {
        self.init()
        path.addPath(cgPath)
    }

    public var isEmpty: Bool { path.isEmpty }
    public var bounds: CGRect { path.boundingBox }
    public var currentPoint: CGPoint { path.currentPoint }

    public func move(to point: CGPoint) { path.move(to: point) }

    public func addLine(to point: CGPoint) { path.addLine(to: point) }

    public func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: end, control: controlPoint)
    }

    public func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: end, control1: controlPoint1, control2: controlPoint2)
    }

    /// Adds an arc. `clockwise` matches the direction on the screen.
    public func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        path.addArc(
            center: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: endAngle,
            clockwise: !clockwise
        )
    }

    public func append(_ other: UIBezierPath) { path.addPath(other.path) }

    public func apply(_ transform: CGAffineTransform) {
        path.outline = path.outline.mapped { $0.applying(transform) }
    }

    public func close() { path.closeSubpath() }

    public override func copy() -> Any {
        let copy = UIBezierPath(cgPath: path)
        copy.lineWidth = lineWidth
        copy.lineCapStyle = lineCapStyle
        copy.lineJoinStyle = lineJoinStyle
        copy.miterLimit = miterLimit
        copy.usesEvenOddFillRule = usesEvenOddFillRule
        copy.dash = dash
        return copy
    }

    public func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
        dash = (phase, pattern.map { Array(UnsafeBufferPointer(start: $0, count: max(0, count))) } ?? [])
    }

    public func removeAllPoints() { path.outline = Outline() }

    public func fill() {
        CGContext.current?.draw(path, fills: true, usesEvenOddFillRule ? .evenOdd : .winding)
    }

    public func fill(with mode: CGBlendMode, alpha: CGFloat) {
        guard let context = CGContext.current else { return }
        context.saveGState()
        context.setBlendMode(mode)
        context.setAlpha(alpha)
        fill()
        context.restoreGState()
    }

    public func stroke() {
        guard let context = CGContext.current else { return }
        context.saveGState()
        context.setLineWidth(lineWidth)
        context.setLineCap(lineCapStyle)
        context.setLineJoin(lineJoinStyle)
        context.setMiterLimit(miterLimit)
        context.setLineDash(phase: dash.phase, lengths: dash.lengths)
        context.draw(path, strokes: true)
        context.restoreGState()
    }

    public func addClip() {
        guard let context = CGContext.current else { return }
        context.beginPath()
        context.addPath(path)
        context.clip(using: usesEvenOddFillRule ? .evenOdd : .winding)
    }
}
