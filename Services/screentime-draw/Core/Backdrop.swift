import STCCairo
package import STContracts
import STPlatform

/// The background of a shield: a blurred picture, or calm colours if there is none.
///
/// The background has no edges. It is painted small, together with the colours over it, and enlarged once. So each pixel of a
/// large screen is written once instead of six times.
enum Backdrop {
    private static let reduction = 8
    /// The minimum side of the small picture, in pixels. With fewer, the single pixels of a small window would be visible.
    private static let sideMin = 48

    static func paint(
        _ canvas: Canvas,
        picture: Canvas?,
        blur: BlurStyle,
        scale: Double,
        _ face: DrawAppearance,
        over: [DrawColor]
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
            paintPlain(small, face)
        }
        for ink in over { small.fill(ink) }
        canvas.enlarge(small)
    }

    /// Paints light from two sides, as many desktop wallpapers do.
    private static func paintPlain(_ canvas: Canvas, _ face: DrawAppearance) {
        let isDark = face == .dark
        canvas.fill(DrawColor(hex: isDark ? 0x1B2038 : 0xC9D8F5))
        let length = max(canvas.bounds.width, canvas.bounds.height)
        let lights: [(x: Double, y: Double, reach: Double, ink: DrawColor)] = [
            (0.12, 0.05, 0.75, DrawColor(hex: isDark ? 0x3B4A9C : 0x8FB7FF, 0.9)),
            (0.95, 0.25, 0.65, DrawColor(hex: isDark ? 0x5A2F7E : 0xD9B8FF, 0.85)),
            (0.75, 1.05, 0.75, DrawColor(hex: isDark ? 0x7A3350 : 0xFFC9B5, 0.8)),
            (0.05, 0.98, 0.55, DrawColor(hex: isDark ? 0x12546B : 0xB5F0E6, 0.75)),
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

/// The appearance of a `UIBlurEffect.Style`: the strength of the blur, and the colour over it.
package struct BlurStyle: Sendable, Equatable {
    package var light: DrawColor
    package var dark: DrawColor
    /// The radius of the blur, in units of length.
    package var radius: Double
    /// The factor for the saturation of the colours behind it. 1 leaves them unchanged.
    package var saturation: Double

    /// The style for looks that name no style and no colour.
    package static let fallbackName = "systemThickMaterial"
    package static let fallback = BlurStyle(thick, thickDark, radius: 64, saturation: 1.8)

    private init(_ light: DrawColor, _ dark: DrawColor, radius: Double, saturation: Double) {
        self.light = light
        self.dark = dark
        self.radius = radius
        self.saturation = saturation
    }

    package func tint(_ appearance: DrawAppearance) -> DrawColor { appearance == .dark ? dark : light }

    /// Returns the style with this name, or nil for an unknown name.
    package static func named(_ name: String) -> BlurStyle? { all[name] }

    /// The names of all styles, as Apple spells them.
    package static var names: [String] { all.keys.sorted() }

    private static let ultraThin = DrawColor(hex: 0xF5F5F7, 0.44)
    private static let thin = DrawColor(hex: 0xF5F5F7, 0.60)
    private static let material = DrawColor(hex: 0xF6F6F8, 0.74)
    private static let thick = DrawColor(hex: 0xF7F7FA, 0.86)
    private static let chrome = DrawColor(hex: 0xFAFAFC, 0.80)
    private static let ultraThinDark = DrawColor(hex: 0x222226, 0.48)
    private static let thinDark = DrawColor(hex: 0x222226, 0.62)
    private static let materialDark = DrawColor(hex: 0x1F1F23, 0.74)
    private static let thickDark = DrawColor(hex: 0x1B1B1F, 0.84)
    private static let chromeDark = DrawColor(hex: 0x141417, 0.78)

    /// All styles of iOS.
    ///
    /// Styles with light or dark in their names have the same appearance on both kinds of desktops.
    private static let all: [String: BlurStyle] = [
        "extraLight": fixed(DrawColor(hex: 0xFFFFFF, 0.82), 32),
        "light": fixed(DrawColor(hex: 0xFFFFFF, 0.34), 48),
        "dark": fixed(DrawColor(hex: 0x161618, 0.70), 32),
        "regular": BlurStyle(
            DrawColor(hex: 0xFAFAFA, 0.68),
            DrawColor(hex: 0x252528, 0.70),
            radius: 48,
            saturation: 1.8
        ),
        "prominent": BlurStyle(
            DrawColor(hex: 0xFFFFFF, 0.90),
            DrawColor(hex: 0x3A3A3E, 0.84),
            radius: 32,
            saturation: 1.6
        ),
        "systemUltraThinMaterial": system(ultraThin, dark: ultraThinDark, radius: 40),
        "systemThinMaterial": system(thin, dark: thinDark, radius: 44),
        "systemMaterial": system(material, dark: materialDark, radius: 50),
        "systemThickMaterial": fallback,
        "systemChromeMaterial": system(chrome, dark: chromeDark, radius: 56),
        "systemUltraThinMaterialLight": system(ultraThin, dark: ultraThin, radius: 40),
        "systemThinMaterialLight": system(thin, dark: thin, radius: 44),
        "systemMaterialLight": system(material, dark: material, radius: 50),
        "systemThickMaterialLight": system(thick, dark: thick, radius: 64),
        "systemChromeMaterialLight": system(chrome, dark: chrome, radius: 56),
        "systemUltraThinMaterialDark": system(ultraThinDark, dark: ultraThinDark, radius: 40),
        "systemThinMaterialDark": system(thinDark, dark: thinDark, radius: 44),
        "systemMaterialDark": system(materialDark, dark: materialDark, radius: 50),
        "systemThickMaterialDark": system(thickDark, dark: thickDark, radius: 64),
        "systemChromeMaterialDark": system(chromeDark, dark: chromeDark, radius: 56),
    ]

    private static func system(_ light: DrawColor, dark: DrawColor, radius: Double) -> BlurStyle {
        BlurStyle(light, dark, radius: radius, saturation: 1.8)
    }

    private static func fixed(_ tint: DrawColor, _ radius: Double) -> BlurStyle {
        BlurStyle(tint, tint, radius: radius, saturation: 1.8)
    }
}

/// Blurs a picture with three box passes in each direction, which approximate a Gaussian blur.
enum BoxBlur {
    private static let passes = 3
    private static let radiusMax = 256

    static func apply(_ canvas: Canvas, radius: Double, saturation: Double) {
        let radius = Int(max(1, min(Double(radiusMax), radius)).rounded())
        _ = canvas.pixels { pixels, rowLength in
            var line = [UInt32](repeating: 0, count: max(canvas.width, canvas.height))
            for _ in 0..<passes {
                for row in 0..<canvas.height {
                    blur(
                        pixels,
                        from: row * rowLength,
                        step: 1,
                        count: canvas.width,
                        radius: radius,
                        line: &line
                    )
                }
                for column in 0..<canvas.width {
                    blur(
                        pixels,
                        from: column,
                        step: rowLength,
                        count: canvas.height,
                        radius: radius,
                        line: &line
                    )
                }
            }
            for index in pixels.indices { pixels[index] = saturated(pixels[index], saturation) }
        }
    }

    /// Blurs one row or column. Beyond its ends, the first or the last pixel repeats.
    private static func blur(
        _ pixels: UnsafeMutableBufferPointer<UInt32>,
        from start: Int,
        step: Int,
        count: Int,
        radius: Int,
        line: inout [UInt32]
    ) {
        for index in 0..<count { line[index] = pixels[start + index * step] }
        var sums = (0, 0, 0)
        for offset in -radius...radius { add(line[min(max(0, offset), count - 1)], sign: 1, sums: &sums) }
        let size = 2 * radius + 1
        for index in 0..<count {
            pixels[start + index * step] =
                0xFF00_0000 | UInt32(sums.0 / size) << 16 | UInt32(sums.1 / size) << 8 | UInt32(sums.2 / size)
            add(line[min(index + radius + 1, count - 1)], sign: 1, sums: &sums)
            add(line[max(index - radius, 0)], sign: -1, sums: &sums)
        }
    }

    private static func add(_ pixel: UInt32, sign: Int, sums: inout (Int, Int, Int)) {
        sums.0 += sign * Int(pixel >> 16 & 0xFF)
        sums.1 += sign * Int(pixel >> 8 & 0xFF)
        sums.2 += sign * Int(pixel & 0xFF)
    }

    private static func saturated(_ pixel: UInt32, _ factor: Double) -> UInt32 {
        let parts = [pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF].map(Double.init)
        let grey = 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]
        let new = parts.map { UInt32(min(255, max(0, grey + ($0 - grey) * factor))) }
        return 0xFF00_0000 | new[0] << 16 | new[1] << 8 | new[2]
    }
}
