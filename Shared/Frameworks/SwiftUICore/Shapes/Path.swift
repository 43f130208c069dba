public import Foundation

public struct Path: Equatable, Sendable {
    public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }

    /// Further elements are left out.
    private static let elementsMax = 20_000

    private var elements: [Element] = []
    private var start = CGPoint.zero

    public private(set) var currentPoint: CGPoint?

    public init() {}

    public init(_ callback: (inout Path) -> Void) { callback(&self) }

    public init(_ rect: CGRect) { addRect(rect) }

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

    public var isEmpty: Bool { elements.isEmpty }

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

    public func forEach(_ body: (Path.Element) -> Void) { elements.forEach(body) }

    private mutating func append(_ element: Element, to point: CGPoint?) {
        guard elements.count < Self.elementsMax else { return }
        elements.append(element)
        currentPoint = point
    }

    public mutating func move(to end: CGPoint) {
        start = end
        append(.move(to: end), to: end)
    }

    public mutating func addLine(to end: CGPoint) {
        if currentPoint == nil { return move(to: end) }
        append(.line(to: end), to: end)
    }

    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        if currentPoint == nil { move(to: end) }
        append(.quadCurve(to: end, control: control), to: end)
    }

    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        if currentPoint == nil { move(to: end) }
        append(.curve(to: end, control1: control1, control2: control2), to: end)
    }

    public mutating func closeSubpath() {
        if currentPoint != nil { append(.closeSubpath, to: start) }
    }

    public mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }

    public mutating func addRects(_ rects: [CGRect]) {
        for rect in rects { addRect(rect) }
    }

    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }

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

    /// As with Apple's, `clockwise` means the other way round on a screen, whose y axis points down.
    public mutating func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: Angle,
        endAngle: Angle,
        clockwise: Bool
    ) {
        var delta = endAngle.radians - startAngle.radians
        guard delta.isFinite else { return }
        let turn = 2 * Double.pi
        if abs(delta) >= turn, clockwise == (delta < 0) {
            delta = clockwise ? -turn : turn
        } else {
            delta = delta.truncatingRemainder(dividingBy: turn)
            if clockwise, delta > 0 { delta -= turn }
            if !clockwise, delta < 0 { delta += turn }
        }
        addRelativeArc(center: center, radius: radius, startAngle: startAngle, delta: Angle(radians: delta))
    }

    public mutating func addRelativeArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: Angle,
        delta: Angle
    ) {
        func point(_ angle: Double) -> CGPoint {
            CGPoint(x: center.x + radius * CGFloat(cos(angle)), y: center.y + radius * CGFloat(sin(angle)))
        }
        guard delta.radians.isFinite, startAngle.radians.isFinite else { return }
        addLine(to: point(startAngle.radians))
        // A curve for each quarter is as good as a circle to the eye.
        let turn = min(2 * Double.pi, max(-2 * Double.pi, delta.radians))
        let steps = max(1, Int((abs(turn) / (.pi / 2)).rounded(.up)))
        let step = turn / Double(steps)
        let reach = radius * CGFloat(4.0 / 3 * tan(step / 4))
        for index in 0..<steps {
            let from = startAngle.radians + step * Double(index)
            let to = from + step
            let (a, b) = (point(from), point(to))
            addCurve(
                to: b,
                control1: CGPoint(x: a.x - reach * CGFloat(sin(from)), y: a.y + reach * CGFloat(cos(from))),
                control2: CGPoint(x: b.x + reach * CGFloat(sin(to)), y: b.y - reach * CGFloat(cos(to)))
            )
        }
    }

    public mutating func addEllipse(in rect: CGRect) {
        let (x, y) = (rect.width / 2 * 0.5523, rect.height / 2 * 0.5523)
        move(to: CGPoint(x: rect.maxX, y: rect.midY))
        addCurve(
            to: CGPoint(x: rect.midX, y: rect.maxY),
            control1: CGPoint(x: rect.maxX, y: rect.midY + y),
            control2: CGPoint(x: rect.midX + x, y: rect.maxY)
        )
        addCurve(
            to: CGPoint(x: rect.minX, y: rect.midY),
            control1: CGPoint(x: rect.midX - x, y: rect.maxY),
            control2: CGPoint(x: rect.minX, y: rect.midY + y)
        )
        addCurve(
            to: CGPoint(x: rect.midX, y: rect.minY),
            control1: CGPoint(x: rect.minX, y: rect.midY - y),
            control2: CGPoint(x: rect.midX - x, y: rect.minY)
        )
        addCurve(
            to: CGPoint(x: rect.maxX, y: rect.midY),
            control1: CGPoint(x: rect.midX + x, y: rect.minY),
            control2: CGPoint(x: rect.maxX, y: rect.midY - y)
        )
        closeSubpath()
    }

    public mutating func addRoundedRect(
        in rect: CGRect,
        cornerSize: CGSize,
        style: RoundedCornerStyle = .continuous
    ) {
        let x = max(0, min(cornerSize.width, rect.width / 2))
        let y = max(0, min(cornerSize.height, rect.height / 2))
        func corner(
            _ path: inout Path,
            _ cornerX: CGFloat,
            _ cornerY: CGFloat,
            _ to: CGPoint
        ) {
            path.addQuadCurve(to: to, control: CGPoint(x: cornerX, y: cornerY))
        }
        move(to: CGPoint(x: rect.minX + x, y: rect.minY))
        addLine(to: CGPoint(x: rect.maxX - x, y: rect.minY))
        corner(&self, rect.maxX, rect.minY, CGPoint(x: rect.maxX, y: rect.minY + y))
        addLine(to: CGPoint(x: rect.maxX, y: rect.maxY - y))
        corner(&self, rect.maxX, rect.maxY, CGPoint(x: rect.maxX - x, y: rect.maxY))
        addLine(to: CGPoint(x: rect.minX + x, y: rect.maxY))
        corner(&self, rect.minX, rect.maxY, CGPoint(x: rect.minX, y: rect.maxY - y))
        addLine(to: CGPoint(x: rect.minX, y: rect.minY + y))
        corner(&self, rect.minX, rect.minY, CGPoint(x: rect.minX + x, y: rect.minY))
        closeSubpath()
    }

    /// The path in SVG's syntax.
    package var svg: String {
        func number(_ value: CGFloat) -> String {
            let rounded = (Length.of(value) * 100).rounded() / 100
            return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        }
        func text(_ points: CGPoint...) -> String {
            points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " ")
        }
        var steps: [String] = []
        forEach { element in
            switch element {
            case .move(let to): steps.append("M" + text(to))
            case .line(let to): steps.append("L" + text(to))
            case .quadCurve(let to, let control): steps.append("Q" + text(control, to))
            case .curve(let to, let first, let second): steps.append("C" + text(first, second, to))
            case .closeSubpath: steps.append("Z")
            }
        }
        return steps.joined()
    }
}

extension Path: Shape {
    public func path(in rect: CGRect) -> Path { self }
}
