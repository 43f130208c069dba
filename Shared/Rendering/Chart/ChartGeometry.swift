/// A point in a chart, in points from its upper left corner.
package struct ChartPoint: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// Returns the point at this radius and clockwise angle from the top, in radians.
    static func around(_ center: ChartPoint, radius: Double, angle: Double) -> ChartPoint {
        ChartPoint(center.x + radius * PageMath.sine(angle), center.y - radius * PageMath.cosine(angle))
    }
}

/// An axis-aligned rectangle of a chart.
package struct ChartRect: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var right: Double { x + width }
    package var bottom: Double { y + height }
    package var middle: ChartPoint { ChartPoint(x + width / 2, y + height / 2) }

    package func overlaps(_ other: ChartRect) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    /// Returns true if the other rectangle is inside this one, with a tolerance for rounding.
    package func contains(_ other: ChartRect) -> Bool {
        other.x >= x - 0.01 && other.y >= y - 0.01 && other.right <= right + 0.01
            && other.bottom <= bottom + 0.01
    }
}

/// One step of an outline. Curves are cubic, so that SVG and cairo draw the same shape.
package enum ChartStep: Sendable, Equatable {
    case move(ChartPoint)
    case line(ChartPoint)
    case curve(ChartPoint, ChartPoint, ChartPoint)
    case close
}

/// A sector of a pie. Angles are clockwise from the top, in radians.
package struct ChartSector: Sendable, Equatable {
    package var center: ChartPoint
    package var inner: Double
    package var outer: Double
    package var from: Double
    package var to: Double
    /// The distance by which its edges are moved away from those of its neighbours.
    package var inset: Double
    package var corner: Double

    package var middle: ChartPoint { .around(center, radius: (inner + outer) / 2, angle: (from + to) / 2) }

    package var path: [ChartStep] {
        let pen = ChartPen()
        guard outer > 0, to > from else { return [] }
        if to - from >= 2 * Double.pi - 1e-9 { return pen.ring(center, inner: inner, outer: outer) }
        let half = (to - from) / 2
        // The edges stay parallel to their original position, so the angle is larger near the centre.
        let outerShift = PageMath.arcSine(inset / outer)
        guard outerShift < half else { return [] }
        let start = from + outerShift
        let end = to - outerShift
        var hole = inner
        var holeShift = inner > 0 ? PageMath.arcSine(inset / inner) : half
        if holeShift >= half || inner <= inset {
            // The edges meet before they reach the hole.
            hole = half < .pi / 2 ? max(inner, inset / max(PageMath.sine(half), 1e-6)) : inner
            holeShift = half
        }
        guard hole < outer else { return [] }
        let room = min((outer - hole) / 2, (end - start) * outer / 2)
        return pen.slice(
            self,
            outside: (start, end),
            inside: (from + holeShift, to - holeShift),
            hole: hole,
            corner: min(corner, room)
        )
    }
}

/// Creates outlines of rectangles, circles, lines and sectors.
struct ChartPen {
    /// The distance of the control points for a quarter circle as one curve, relative to the radius.
    private static let roundness = 0.5522847498

    func rect(_ rect: ChartRect, corner: Double = 0) -> [ChartStep] {
        let radius = max(0, min(corner, rect.width / 2, rect.height / 2))
        let (left, top, right, bottom) = (rect.x, rect.y, rect.right, rect.bottom)
        if radius < 0.05 {
            return [
                .move(ChartPoint(left, top)), .line(ChartPoint(right, top)), .line(ChartPoint(right, bottom)),
                .line(ChartPoint(left, bottom)), .close,
            ]
        }
        let pull = radius * (1 - Self.roundness)
        return [
            .move(ChartPoint(left + radius, top)), .line(ChartPoint(right - radius, top)),
            .curve(
                ChartPoint(right - pull, top),
                ChartPoint(right, top + pull),
                ChartPoint(right, top + radius)
            ),
            .line(ChartPoint(right, bottom - radius)),
            .curve(
                ChartPoint(right, bottom - pull),
                ChartPoint(right - pull, bottom),
                ChartPoint(right - radius, bottom)
            ),
            .line(ChartPoint(left + radius, bottom)),
            .curve(
                ChartPoint(left + pull, bottom),
                ChartPoint(left, bottom - pull),
                ChartPoint(left, bottom - radius)
            ),
            .line(ChartPoint(left, top + radius)),
            .curve(
                ChartPoint(left, top + pull),
                ChartPoint(left + pull, top),
                ChartPoint(left + radius, top)
            ),
            .close,
        ]
    }

    func circle(_ center: ChartPoint, _ radius: Double) -> [ChartStep] {
        [.move(.around(center, radius: radius, angle: 0))] + arc(center, radius: radius, from: 0, to: 2 * .pi)
            + [.close]
    }

    /// Returns a part of a circle as an open path.
    func turn(_ center: ChartPoint, radius: Double, from: Double, to: Double) -> [ChartStep] {
        let path: [ChartStep] =
            [.move(.around(center, radius: radius, angle: from))]
            + arc(center, radius: radius, from: from, to: to)
        return to - from >= 2 * .pi - 1e-9 ? path + [.close] : path
    }

    /// Returns a part of the edge of a rectangle as an open path, clockwise from the upper left corner.
    func part(of rect: ChartRect, from: Double, to: Double) -> [ChartStep] {
        let corners = [
            ChartPoint(rect.x, rect.y), ChartPoint(rect.right, rect.y), ChartPoint(rect.right, rect.bottom),
            ChartPoint(rect.x, rect.bottom), ChartPoint(rect.x, rect.y),
        ]
        let lengths = [rect.width, rect.height, rect.width, rect.height]
        let whole = lengths.reduce(0, +)
        var path: [ChartStep] = []
        var done = 0.0
        for (index, length) in lengths.enumerated() where length > 0 {
            let start = max(from * whole, done)
            let end = min(to * whole, done + length)
            if start < end {
                func at(_ place: Double) -> ChartPoint {
                    let part = (place - done) / length
                    let (one, other) = (corners[index], corners[index + 1])
                    return ChartPoint(one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part)
                }
                if path.isEmpty { path.append(.move(at(start))) }
                path.append(.line(at(end)))
            }
            done += length
        }
        return path
    }

    func ring(_ center: ChartPoint, inner: Double, outer: Double) -> [ChartStep] {
        guard inner > 0 else { return circle(center, outer) }
        // The inner circle has the opposite direction, so that it is a hole.
        return circle(center, outer) + [.move(.around(center, radius: inner, angle: 2 * .pi))]
            + arc(center, radius: inner, from: 2 * .pi, to: 0) + [.close]
    }

    /// Returns an open line, or a closed area if `back` contains the other edge.
    func line(_ points: [ChartPoint], back: [ChartPoint] = []) -> [ChartStep] {
        guard let first = points.first else { return [] }
        var path: [ChartStep] = [.move(first)]
        for point in points.dropFirst() { path.append(.line(point)) }
        for point in back.reversed() { path.append(.line(point)) }
        if !back.isEmpty { path.append(.close) }
        return path
    }

    func slice(
        _ sector: ChartSector,
        outside: (from: Double, to: Double),
        inside: (from: Double, to: Double),
        hole: Double,
        corner: Double
    ) -> [ChartStep] {
        let center = sector.center
        func at(_ radius: Double, _ angle: Double) -> ChartPoint {
            .around(center, radius: radius, angle: angle)
        }
        guard corner > 0.05 else {
            var path: [ChartStep] = [.move(at(sector.outer, outside.from))]
            path += arc(center, radius: sector.outer, from: outside.from, to: outside.to)
            path.append(.line(at(hole, inside.to)))
            if inside.to > inside.from { path += arc(center, radius: hole, from: inside.to, to: inside.from) }
            return path + [.close]
        }
        let turn = corner / sector.outer
        var path: [ChartStep] = [.move(at(sector.outer, outside.from + turn))]
        path += arc(center, radius: sector.outer, from: outside.from + turn, to: outside.to - turn)
        let outerEnd = at(sector.outer, outside.to)
        let innerEnd = at(hole, inside.to)
        path.append(
            bend(
                from: at(sector.outer, outside.to - turn),
                outerEnd,
                toward(outerEnd, to: innerEnd, length: corner)
            )
        )
        let innerStart = at(hole, inside.from)
        let outerStart = at(sector.outer, outside.from)
        let innerTurn = hole > corner ? corner / hole : 0
        if innerTurn > 0, inside.to - inside.from > 2 * innerTurn {
            let leave = toward(innerEnd, to: outerEnd, length: corner)
            path += [.line(leave), bend(from: leave, innerEnd, at(hole, inside.to - innerTurn))]
            path += arc(center, radius: hole, from: inside.to - innerTurn, to: inside.from + innerTurn)
            let arrive = at(hole, inside.from + innerTurn)
            path.append(bend(from: arrive, innerStart, toward(innerStart, to: outerStart, length: corner)))
        } else {
            path.append(.line(innerEnd))
            if inside.to > inside.from { path += arc(center, radius: hole, from: inside.to, to: inside.from) }
        }
        let last = toward(outerStart, to: innerStart, length: corner)
        path += [.line(last), bend(from: last, outerStart, at(sector.outer, outside.from + turn))]
        return path + [.close]
    }

    private func toward(_ from: ChartPoint, to: ChartPoint, length: Double) -> ChartPoint {
        let (x, y) = (to.x - from.x, to.y - from.y)
        let distance = (x * x + y * y).squareRoot()
        guard distance > 0 else { return from }
        let part = min(1, length / distance)
        return ChartPoint(from.x + x * part, from.y + y * part)
    }

    /// Returns a curve around a corner.
    private func bend(from start: ChartPoint, _ corner: ChartPoint, _ end: ChartPoint) -> ChartStep {
        func pulled(_ point: ChartPoint) -> ChartPoint {
            ChartPoint(
                point.x + (corner.x - point.x) * Self.roundness,
                point.y + (corner.y - point.y) * Self.roundness
            )
        }
        return .curve(pulled(start), pulled(end), end)
    }

    /// Returns curves along a circle, each at most a quarter of it.
    private func arc(_ center: ChartPoint, radius: Double, from: Double, to: Double) -> [ChartStep] {
        let count = max(1, Int((abs(to - from) / (.pi / 2)).rounded(.up)))
        let step = (to - from) / Double(count)
        let pull = 4.0 / 3 * PageMath.tangent(step / 4) * radius
        func direction(_ angle: Double) -> ChartPoint {
            ChartPoint(PageMath.cosine(angle) * pull, PageMath.sine(angle) * pull)
        }
        return (0..<count).map { index in
            let begin = from + Double(index) * step
            let end = begin + step
            let first = ChartPoint.around(center, radius: radius, angle: begin)
            let last = ChartPoint.around(center, radius: radius, angle: end)
            let out = direction(begin)
            let into = direction(end)
            return .curve(
                ChartPoint(first.x + out.x, first.y + out.y),
                ChartPoint(last.x - into.x, last.y - into.y),
                last
            )
        }
    }
}
