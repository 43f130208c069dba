import Glibc
import STCCairo
import STContracts
import STPlatform

/// Fills and strokes the path of a canvas with a colour or a gradient.
struct PaintSource {
    private static let stopsMax = 64
    /// The number of steps of an angular gradient.
    private static let turns = 2_048

    /// Returns the cost of a paint relative to a plain colour.
    static func weight(_ paint: PagePaint) -> Double { paint.kind == .color ? 1 : 5 }

    let canvas: Canvas
    let appearance: DrawAppearance
    let warnings: Warnings

    /// Sets the paint as the source of the cairo context in this box. Returns false if the paint cannot be used.
    func apply(_ paint: PagePaint, in box: Box, alpha: Double) -> Bool {
        switch paint.kind {
        case .color:
            guard let color = paint.color else { return false }
            let ink = warnings.ink(
                color,
                appearance,
                of: PartName.page,
                otherwise: DrawColor.black.with(alpha: 0)
            )
            canvas.setColor(ink.with(alpha: ink.alpha * alpha))
        case .linear:
            let from = point(paint.from, in: box) ?? (box.midX, box.y)
            let to = point(paint.to, in: box) ?? (box.midX, box.maxY)
            use(cairo_pattern_create_linear(from.x, from.y, to.x, to.y), paint: paint, alpha: alpha)
        case .radial:
            let center = point(paint.from, in: box) ?? (box.midX, box.midY)
            let edge = point(paint.to, in: box) ?? (center.x + max(box.width, box.height) / 2, center.y)
            let radius = hypot(edge.x - center.x, edge.y - center.y)
            use(
                cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, max(0.01, radius)),
                paint: paint,
                alpha: alpha
            )
        case .angular: return applyAngular(paint, in: box, alpha)
        case .unknown:
            warnings.add(
                Message(
                    "draw.unknown-colour",
                    "The page has a kind of colour that this version does not support. It is left out."
                )
            )
            return false
        }
        return true
    }

    private func point(_ parts: [Double]?, in box: Box) -> (x: Double, y: Double)? {
        guard let parts, parts.count == 2, parts.allSatisfy({ $0.isFinite && abs($0) < 1000 }) else {
            return nil
        }
        return (box.x + box.width * parts[0], box.y + box.height * parts[1])
    }

    private func stops(_ paint: PagePaint, _ alpha: Double) -> [(at: Double, ink: DrawColor)] {
        (paint.stops ?? []).prefix(Self.stopsMax).compactMap { stop in
            let ink = warnings.ink(
                stop.color,
                appearance,
                of: PartName.page,
                otherwise: DrawColor.black.with(alpha: 0)
            )
            guard stop.at.isFinite else { return nil }
            return (min(max(stop.at, 0), 1), ink.with(alpha: ink.alpha * alpha))
        }
    }

    private func use(_ pattern: OpaquePointer?, paint: PagePaint, alpha: Double) {
        for (at, ink) in stops(paint, alpha) {
            cairo_pattern_add_color_stop_rgba(pattern, at, ink.red, ink.green, ink.blue, ink.alpha)
        }
        cairo_set_source(canvas.pen, pattern)
        cairo_pattern_destroy(pattern)
    }

    /// Sets an angular gradient, clockwise from the right. Cairo has no such pattern, so its pixels are computed here.
    private func applyAngular(_ paint: PagePaint, in box: Box, _ alpha: Double) -> Bool {
        let stops = stops(paint, alpha).sorted { $0.at < $1.at }
        // A stroke is drawn on both sides of an edge, so the gradient continues around the box.
        let area = box.expanded(max(box.width, box.height) / 4)
        let side = Self.angularSide(box)
        guard !stops.isEmpty, area.width > 0, area.height > 0,
            let picture = try? Canvas(width: side, height: side)
        else { return false }
        let center = point(paint.from, in: box) ?? (box.midX, box.midY)
        let turns = (0..<Self.turns).map { Self.pixel(Self.ink(Double($0) / Double(Self.turns - 1), stops)) }
        _ = picture.pixels { pixels, rowLength in
            for row in 0..<side {
                let y = area.y + (Double(row) + 0.5) / Double(side) * area.height - center.y
                for column in 0..<side {
                    let x = area.x + (Double(column) + 0.5) / Double(side) * area.width - center.x
                    let turn = atan2(y, x) / (2 * .pi)
                    let place = (turn < 0 ? turn + 1 : turn) * Double(Self.turns - 1)
                    pixels[row * rowLength + column] = turns[min(max(0, Int(place)), Self.turns - 1)]
                }
            }
        }
        cairo_set_source_surface(canvas.pen, picture.surface, 0, 0)
        var matrix = cairo_matrix_t()
        cairo_matrix_init_scale(&matrix, Double(side) / area.width, Double(side) / area.height)
        cairo_matrix_translate(&matrix, -area.x, -area.y)
        let source = cairo_get_source(canvas.pen)
        cairo_pattern_set_matrix(source, &matrix)
        cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD)
        return true
    }

    /// Returns the side of the gradient's picture. Its resolution of about three pixels per point is enough for the eye.
    static func angularSide(_ box: Box) -> Int {
        Int(min(max(max(box.width, box.height) * 4.5, 32), 512))
    }

    private static func ink(_ at: Double, _ stops: [(at: Double, ink: DrawColor)]) -> DrawColor {
        guard let next = stops.firstIndex(where: { $0.at >= at }) else { return stops[stops.count - 1].ink }
        guard next > 0 else { return stops[0].ink }
        let (from, to) = (stops[next - 1], stops[next])
        let part = to.at > from.at ? (at - from.at) / (to.at - from.at) : 1
        let mix = { (one: Double, other: Double) in one + (other - one) * part }
        return DrawColor(
            mix(from.ink.red, to.ink.red),
            green: mix(from.ink.green, to.ink.green),
            blue: mix(from.ink.blue, to.ink.blue),
            alpha: mix(from.ink.alpha, to.ink.alpha)
        )
    }

    /// Returns the premultiplied pixel that cairo needs.
    private static func pixel(_ ink: DrawColor) -> UInt32 {
        let part = { (value: Double) in UInt32((value * 255).rounded()) }
        return part(ink.alpha) << 24 | part(ink.red * ink.alpha) << 16 | part(ink.green * ink.alpha) << 8
            | part(ink.blue * ink.alpha)
    }
}
