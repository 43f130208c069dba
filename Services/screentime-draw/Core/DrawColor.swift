import Glibc
import STContracts
import STPlatform

/// A colour. Each component is from 0 to 1.
package struct DrawColor: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    /// Creates a colour. Values are clamped to 0…1, and NaN counts as 0.
    package init(_ red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = Self.part(red)
        self.green = Self.part(green)
        self.blue = Self.part(blue)
        self.alpha = Self.part(alpha)
    }

    /// Creates a colour from `0xRRGGBB`.
    package init(hex: UInt32, _ alpha: Double = 1) {
        self.init(
            Double(hex >> 16 & 0xFF) / 255,
            green: Double(hex >> 8 & 0xFF) / 255,
            blue: Double(hex & 0xFF) / 255,
            alpha: alpha
        )
    }

    /// Creates a colour from `#RRGGBBAA` or `#RRGGBB`. Returns nil for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 8 || digits.count == 6,
            digits.allSatisfy({ Self.isHexadecimal($0) }),
            let value = UInt32(String(text.dropFirst()), radix: 16)
        else { return nil }
        if digits.count == 6 {
            self.init(hex: value)
        } else {
            self.init(hex: value >> 8, Double(value & 0xFF) / 255)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func part(_ value: Double) -> Double { value.isNaN ? 0 : min(1, max(0, value)) }

    package static let white = DrawColor(1, green: 1, blue: 1)
    package static let black = DrawColor(0, green: 0, blue: 0)

    package func with(alpha: Double) -> DrawColor { DrawColor(red, green: green, blue: blue, alpha: alpha) }

    /// Returns the colour that results on an opaque ground.
    package func blended(_ ground: DrawColor) -> DrawColor {
        DrawColor(
            red * alpha + ground.red * (1 - alpha),
            green: green * alpha + ground.green * (1 - alpha),
            blue: blue * alpha + ground.blue * (1 - alpha)
        )
    }

    /// The relative luminance of an opaque colour, as WCAG 2.1 defines it.
    package var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// Returns the contrast ratio from 1 to 21, as WCAG 2.1 defines it.
    package func contrast(on ground: DrawColor) -> Double {
        let own = blended(ground).luminance
        let other = ground.luminance
        return (max(own, other) + 0.05) / (min(own, other) + 0.05)
    }

    private static func linear(_ part: Double) -> Double {
        part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
}

/// The colours of Screen Time, for looks without their own.
enum SystemColors {
    private static let appearance = SystemAppearance.appearance(name: nil, language: nil)

    static func label(_ face: DrawAppearance) -> DrawColor { ink(appearance.title?.color, face) }

    static func secondaryLabel(_ face: DrawAppearance) -> DrawColor { ink(appearance.subtitle?.color, face) }

    static func button(_ face: DrawAppearance) -> DrawColor { ink(appearance.primaryBackground, face) }

    /// Returns the colour of the focused button.
    static func accent(_ face: DrawAppearance) -> DrawColor {
        DrawColor(hex: face == .dark ? 0x7DB4FF : 0x0A62DB)
    }

    private static func ink(_ color: ShieldColor?, _ face: DrawAppearance) -> DrawColor {
        (face == .dark ? color?.dark : color?.light).flatMap { DrawColor($0) }
            ?? (face == .dark ? .white : .black)
    }
}

/// Chooses a legible colour for a text on its ground.
struct Legibility {
    /// The contrast below which a text is illegible, so that the colour of the look is not used.
    private static let invisibleContrast = 1.6
    /// The contrast below which a text is hard to read. WCAG requires 3 for large text.
    private static let hardContrast = 3.0
    /// The contrast that WCAG requires for text.
    private static let goodContrast = 4.5

    let appearance: DrawAppearance
    let warnings: Warnings

    /// Returns the look's own colour if it is legible, or else one of ours. Adds warnings for colours with little contrast.
    func ink(_ text: ShieldText, of part: Message, on ground: DrawColor) -> DrawColor {
        let automatic = automatic(SystemColors.label, on: ground)
        var own = warnings.ink(text.color, appearance, of: part, otherwise: automatic)
        // On a dark style over a light desktop, the colour for the other appearance may be the suitable one.
        let other = DrawColor(appearance == .dark ? text.color.light : text.color.dark)
        if own.contrast(on: ground) < Self.hardContrast, let other,
            other.contrast(on: ground) >= Self.goodContrast
        {
            own = other
        }
        let contrast = own.contrast(on: ground)
        let figure = Double(Int(contrast * 10)) / 10
        if contrast < Self.invisibleContrast {
            warnings.add(
                Message(
                    "draw.colour-cannot-be-read",
                    """
                    The \(part, "part") cannot be read in its colour (contrast \(figure, "contrast")), so \
                    another colour is shown. Choose a colour with more contrast.
                    """
                )
            )
            return automatic
        }
        if contrast < Self.hardContrast {
            warnings.add(
                Message(
                    "draw.colour-hard-to-read",
                    """
                    The \(part, "part") is hard to read in its colour. The contrast is \
                    \(figure, "contrast"), and should be at least 4.5.
                    """
                )
            )
        }
        return own
    }

    /// Returns the one of our two colours with more contrast.
    func automatic(_ ink: (DrawAppearance) -> DrawColor, on ground: DrawColor) -> DrawColor {
        let (light, dark) = (ink(.light), ink(.dark))
        let better = light.contrast(on: ground) >= dark.contrast(on: ground) ? light : dark
        guard better.contrast(on: ground) < Self.goodContrast else { return better }
        // On a ground of medium brightness, either black or white always has enough contrast.
        return DrawColor.black.contrast(on: ground) >= DrawColor.white.contrast(on: ground) ? .black : .white
    }
}
