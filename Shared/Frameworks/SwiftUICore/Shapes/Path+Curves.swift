public import Foundation

extension Path {
    /// A part of a circle; `clockwise` is the other way round on a screen, as with Apple's.
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

    /// A part of a circle, of that many degrees.
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

    /// An oval.
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

    /// A rectangle with round corners.
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

    /// As SVG writes it.
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
