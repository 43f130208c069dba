package import STContracts

/// What a `UIBlurEffect.Style` looks like: how far what lies behind is blurred, and what is laid over it.
package struct BlurLook: Sendable, Equatable {
    package var light: Ink
    package var dark: Ink
    /// Of the blur, in units of length.
    package var radius: Double
    /// How vivid colours behind it become; 1 leaves them as they are.
    package var saturation: Double

    /// For looks that name no style and no colour.
    package static let fallbackName = "systemThickMaterial"
    package static let fallback = BlurLook(thick, thickDark, radius: 64, saturation: 1.8)

    private init(_ light: Ink, _ dark: Ink, radius: Double, saturation: Double) {
        self.light = light
        self.dark = dark
        self.radius = radius
        self.saturation = saturation
    }

    package func tint(_ appearance: DrawAppearance) -> Ink { appearance == .dark ? dark : light }

    /// Nil for a name that no style has.
    package static func named(_ name: String) -> BlurLook? { all[name] }

    package static var names: [String] { all.keys.sorted() }

    private static let ultraThin = Ink(hex: 0xF5F5F7, 0.44)
    private static let thin = Ink(hex: 0xF5F5F7, 0.60)
    private static let material = Ink(hex: 0xF6F6F8, 0.74)
    private static let thick = Ink(hex: 0xF7F7FA, 0.86)
    private static let chrome = Ink(hex: 0xFAFAFC, 0.80)
    private static let ultraThinDark = Ink(hex: 0x222226, 0.48)
    private static let thinDark = Ink(hex: 0x222226, 0.62)
    private static let materialDark = Ink(hex: 0x1F1F23, 0.74)
    private static let thickDark = Ink(hex: 0x1B1B1F, 0.84)
    private static let chromeDark = Ink(hex: 0x141417, 0.78)

    /// Every style of iOS.
    ///
    /// Those whose name says light or dark look the same on both kinds of desktops.
    private static let all: [String: BlurLook] = [
        "extraLight": fixed(Ink(hex: 0xFFFFFF, 0.82), 32),
        "light": fixed(Ink(hex: 0xFFFFFF, 0.34), 48),
        "dark": fixed(Ink(hex: 0x161618, 0.70), 32),
        "regular": BlurLook(Ink(hex: 0xFAFAFA, 0.68), Ink(hex: 0x252528, 0.70), radius: 48, saturation: 1.8),
        "prominent": BlurLook(
            Ink(hex: 0xFFFFFF, 0.90),
            Ink(hex: 0x3A3A3E, 0.84),
            radius: 32,
            saturation: 1.6
        ),
        "systemUltraThinMaterial": system(ultraThin, ultraThinDark, 40),
        "systemThinMaterial": system(thin, thinDark, 44),
        "systemMaterial": system(material, materialDark, 50),
        "systemThickMaterial": fallback,
        "systemChromeMaterial": system(chrome, chromeDark, 56),
        "systemUltraThinMaterialLight": system(ultraThin, ultraThin, 40),
        "systemThinMaterialLight": system(thin, thin, 44),
        "systemMaterialLight": system(material, material, 50),
        "systemThickMaterialLight": system(thick, thick, 64),
        "systemChromeMaterialLight": system(chrome, chrome, 56),
        "systemUltraThinMaterialDark": system(ultraThinDark, ultraThinDark, 40),
        "systemThinMaterialDark": system(thinDark, thinDark, 44),
        "systemMaterialDark": system(materialDark, materialDark, 50),
        "systemThickMaterialDark": system(thickDark, thickDark, 64),
        "systemChromeMaterialDark": system(chromeDark, chromeDark, 56),
    ]

    private static func system(_ light: Ink, _ dark: Ink, _ radius: Double) -> BlurLook {
        BlurLook(light, dark, radius: radius, saturation: 1.8)
    }

    private static func fixed(_ tint: Ink, _ radius: Double) -> BlurLook {
        BlurLook(tint, tint, radius: radius, saturation: 1.8)
    }
}
