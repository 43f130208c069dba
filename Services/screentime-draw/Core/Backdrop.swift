import STCCairo
import STContracts
import STPlatform

/// What lies behind a shield: a picture of it, blurred, or the calm colours that stand for one.
///
/// Nothing of it has edges. So it is painted small, with all that is laid over it, and enlarged once: every pixel of a
/// large screen is then written once, and not six times.
enum Backdrop {
    private static let reduction = 8
    /// A small window is not reduced so far that its few pixels would be seen.
    private static let sideMin = 48

    static func paint(
        _ canvas: Canvas,
        picture: Canvas?,
        blur: BlurLook,
        scale: Double,
        _ face: DrawAppearance,
        over: [Ink]
    )
        throws(Problem)
    {
        let reduction = max(1, min(reduction, min(canvas.width, canvas.height) / sideMin))
        let small = try Canvas(
            width: max(1, canvas.width / reduction),
            height: max(1, canvas.height / reduction)
        )
        if let picture {
            small.place(picture, in: small.bounds, isCovering: true)
            BoxBlur.apply(small, radius: blur.radius * scale / Double(reduction), saturation: blur.saturation)
        } else {
            paintCalm(small, face)
        }
        for ink in over { small.fill(ink) }
        canvas.enlarge(small)
    }

    /// Light from two sides, as many desktops have it.
    private static func paintCalm(_ canvas: Canvas, _ face: DrawAppearance) {
        let isDark = face == .dark
        canvas.fill(Ink(hex: isDark ? 0x1B2038 : 0xC9D8F5))
        let length = max(canvas.bounds.width, canvas.bounds.height)
        let lights: [(x: Double, y: Double, reach: Double, ink: Ink)] = [
            (0.12, 0.05, 0.75, Ink(hex: isDark ? 0x3B4A9C : 0x8FB7FF, 0.9)),
            (0.95, 0.25, 0.65, Ink(hex: isDark ? 0x5A2F7E : 0xD9B8FF, 0.85)),
            (0.75, 1.05, 0.75, Ink(hex: isDark ? 0x7A3350 : 0xFFC9B5, 0.8)),
            (0.05, 0.98, 0.55, Ink(hex: isDark ? 0x12546B : 0xB5F0E6, 0.75)),
        ]
        for light in lights {
            let pattern = cairo_pattern_create_radial(
                light.x * canvas.bounds.width,
                light.y * canvas.bounds.height,
                0,
                light.x * canvas.bounds.width,
                light.y * canvas.bounds.height,
                light.reach * length
            )
            for (offset, strength) in [(0.0, 1.0), (0.35, 0.62), (0.7, 0.18), (1.0, 0.0)] {
                cairo_pattern_add_color_stop_rgba(
                    pattern,
                    offset,
                    light.ink.red,
                    light.ink.green,
                    light.ink.blue,
                    light.ink.alpha * strength
                )
            }
            cairo_set_source(canvas.pen, pattern)
            cairo_paint(canvas.pen)
            cairo_pattern_destroy(pattern)
        }
    }
}
