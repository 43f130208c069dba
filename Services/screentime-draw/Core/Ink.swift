import Glibc
import STContracts
import STPlatform

/// A colour, each part from 0 to 1.
package struct Ink: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    /// Anything that is not a number counts as 0, and nothing exceeds 1.
    package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.red = Self.part(red)
        self.green = Self.part(green)
        self.blue = Self.part(blue)
        self.alpha = Self.part(alpha)
    }

    /// From `0xRRGGBB`.
    package init(hex: UInt32, _ alpha: Double = 1) {
        self.init(
            Double(hex >> 16 & 0xFF) / 255,
            Double(hex >> 8 & 0xFF) / 255,
            Double(hex & 0xFF) / 255,
            alpha
        )
    }

    /// From `#RRGGBBAA` or `#RRGGBB`; nil for anything else.
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

    package static let white = Ink(1, 1, 1)
    package static let black = Ink(0, 0, 0)

    package func with(alpha: Double) -> Ink { Ink(red, green, blue, alpha) }

    /// The colour that it becomes on an opaque ground.
    package func over(_ ground: Ink) -> Ink {
        Ink(
            red * alpha + ground.red * (1 - alpha),
            green * alpha + ground.green * (1 - alpha),
            blue * alpha + ground.blue * (1 - alpha)
        )
    }

    /// WCAG 2.1, "relative luminance", of an opaque colour.
    package var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    /// WCAG 2.1, "contrast ratio": from 1 to 21.
    package func contrast(on ground: Ink) -> Double {
        let own = over(ground).luminance
        let other = ground.luminance
        return (max(own, other) + 0.05) / (min(own, other) + 0.05)
    }

    private static func linear(_ part: Double) -> Double {
        part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
}

/// Our own colours, where a look has none.
enum SystemInk {
    private static let look = SystemLook.look(name: nil, language: nil)

    static func label(_ face: DrawAppearance) -> Ink { ink(look.title?.color, face) }

    static func secondaryLabel(_ face: DrawAppearance) -> Ink { ink(look.subtitle?.color, face) }

    static func button(_ face: DrawAppearance) -> Ink { ink(look.primaryBackground, face) }

    /// For what is marked: the button that the keyboard would press.
    static func accent(_ face: DrawAppearance) -> Ink { Ink(hex: face == .dark ? 0x7DB4FF : 0x0A62DB) }

    private static func ink(_ color: ShieldColor?, _ face: DrawAppearance) -> Ink {
        (face == .dark ? color?.dark : color?.light).flatMap { Ink($0) } ?? (face == .dark ? .white : .black)
    }
}

/// Which colour a text gets on what lies behind it.
struct Legibility {
    /// A text with less contrast cannot be read: the look is overruled.
    private static let invisible = 1.6
    /// A text with less contrast is hard to read; WCAG demands 3 for large text.
    private static let hard = 3.0
    /// What WCAG demands for text.
    private static let good = 4.5

    let face: DrawAppearance
    let warnings: Warnings

    /// The look's own colour where it can be read, else one of ours.
    func ink(_ text: ShieldText, of part: Message, on ground: Ink) -> Ink {
        let automatic = automatic(SystemInk.label, on: ground)
        var own = warnings.ink(text.color, face, of: part, otherwise: automatic)
        // A dark style on a light desktop: the colour's other face is the one that was made for it.
        let other = Ink(face == .dark ? text.color.light : text.color.dark)
        if own.contrast(on: ground) < Self.hard, let other, other.contrast(on: ground) >= Self.good {
            own = other
        }
        let contrast = own.contrast(on: ground)
        let figure = Double(Int(contrast * 10)) / 10
        if contrast < Self.invisible {
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
        if contrast < Self.hard {
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

    /// The one of our own two colours that stands out more.
    func automatic(_ ink: (DrawAppearance) -> Ink, on ground: Ink) -> Ink {
        let (light, dark) = (ink(.light), ink(.dark))
        let better = light.contrast(on: ground) >= dark.contrast(on: ground) ? light : dark
        guard better.contrast(on: ground) < Self.good else { return better }
        // On a ground of middling light one of these always stands out.
        return Ink.black.contrast(on: ground) >= Ink.white.contrast(on: ground) ? .black : .white
    }
}
