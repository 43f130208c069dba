import Glibc
import STCCairo
import STContracts

extension Canvas {
    /// What of a box is in the picture, in whole pixels.
    func spot(_ id: String, _ box: Box) -> DrawnSpot {
        let left = min(width, max(0, Int(box.x.rounded(.down))))
        let top = min(height, max(0, Int(box.y.rounded(.down))))
        return DrawnSpot(
            id: id,
            x: left,
            y: top,
            width: max(0, min(width, Int(box.maxX.rounded(.up))) - left),
            height: max(0, min(height, Int(box.maxY.rounded(.up))) - top)
        )
    }

    package func use(_ ink: Ink) { cairo_set_source_rgba(pen, ink.red, ink.green, ink.blue, ink.alpha) }

    /// Everything inside of it leaves pen, clip and place as they were.
    package func aside(_ body: () -> Void) {
        cairo_save(pen)
        body()
        cairo_restore(pen)
    }

    package func fill(_ ink: Ink) {
        use(ink)
        cairo_paint(pen)
    }

    package func fill(_ box: Box, radius: Double, _ ink: Ink) {
        outline(box, radius: radius)
        use(ink)
        cairo_fill(pen)
    }

    package func stroke(_ box: Box, radius: Double, width: Double, _ ink: Ink) {
        outline(box, radius: radius)
        use(ink)
        cairo_set_line_width(pen, width)
        cairo_stroke(pen)
    }

    package func clip(_ box: Box) {
        cairo_rectangle(pen, box.x, box.y, box.width, box.height)
        cairo_clip(pen)
    }

    /// The path of a box with corners that bend in smoothly, as those of phones do, rather than as parts of circles.
    package func outline(_ box: Box, radius: Double) {
        let radius = min(radius, box.width / 2, box.height / 2)
        // A corner reaches further along its edges than its radius, where there is room.
        let reach = min(radius * 1.28, box.width / 2, box.height / 2)
        let bend = reach * 0.36
        cairo_new_path(pen)
        cairo_move_to(pen, box.x + reach, box.y)
        cairo_line_to(pen, box.maxX - reach, box.y)
        cairo_curve_to(pen, box.maxX - bend, box.y, box.maxX, box.y + bend, box.maxX, box.y + reach)
        cairo_line_to(pen, box.maxX, box.maxY - reach)
        cairo_curve_to(pen, box.maxX, box.maxY - bend, box.maxX - bend, box.maxY, box.maxX - reach, box.maxY)
        cairo_line_to(pen, box.x + reach, box.maxY)
        cairo_curve_to(pen, box.x + bend, box.maxY, box.x, box.maxY - bend, box.x, box.maxY - reach)
        cairo_line_to(pen, box.x, box.y + reach)
        cairo_curve_to(pen, box.x, box.y + bend, box.x + bend, box.y, box.x + reach, box.y)
        cairo_close_path(pen)
    }

    /// A soft shadow, darkest under the box: a few outlines on top of each other.
    package func shadow(_ box: Box, radius: Double, reach: Double, strength: Double) {
        let steps = 24
        for step in 1...steps {
            // The outer ones are the faintest, so that nobody sees where the shadow ends.
            let part = Double(step) / Double(steps)
            let grow = reach * (1 - part)
            fill(
                box.moved(0, reach * 0.35).grown(grow),
                radius: radius + grow,
                Ink.black.with(alpha: strength * 2 * part * part / Double(steps))
            )
        }
    }

    /// The other picture over all of this one, whatever was there: smooth where it is the smaller one.
    package func enlarge(_ picture: Canvas) {
        aside {
            cairo_scale(
                pen,
                Double(width) / Double(picture.width),
                Double(height) / Double(picture.height)
            )
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_BILINEAR)
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_set_operator(pen, CAIRO_OPERATOR_SOURCE)
            cairo_paint(pen)
        }
    }

    /// The other picture, filling the box; what sticks out on one side is cut off when `isCovering`.
    package func place(_ picture: Canvas, in box: Box, isCovering: Bool = false) {
        let across = box.width / Double(picture.width)
        let down = box.height / Double(picture.height)
        let factor = isCovering ? max(across, down) : min(across, down)
        aside {
            clip(box)
            cairo_translate(
                pen,
                box.midX - Double(picture.width) * factor / 2,
                box.midY - Double(picture.height) * factor / 2
            )
            cairo_scale(pen, factor, factor)
            cairo_set_source_surface(pen, picture.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(pen), CAIRO_FILTER_GOOD)
            // The edges would fade to nothing where the picture is enlarged.
            cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD)
            cairo_rectangle(pen, 0, 0, Double(picture.width), Double(picture.height))
            cairo_fill(pen)
        }
    }
}
