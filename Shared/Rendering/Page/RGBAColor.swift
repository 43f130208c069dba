import Glibc

/// A colour with red, green, blue and alpha, each from 0 to 1.
package struct RGBAColor: Sendable, Equatable {
    static let black = RGBAColor(red: 0, green: 0, blue: 0)
    static let white = RGBAColor(red: 1, green: 1, blue: 1)

    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Returns nil unless the text has the form `#RRGGBBAA`.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 9, digits[0] == UInt8(ascii: "#") else { return nil }
        var parts: [Double] = []
        for index in stride(from: 1, to: 9, by: 2) {
            guard let high = Self.digit(digits[index]), let low = Self.digit(digits[index + 1]) else {
                return nil
            }
            parts.append(Double(high * 16 + low) / 255)
        }
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }

    package var hex: String {
        "#"
            + [red, green, blue, alpha].map { part in
                let value = Int((min(max(part, 0), 1) * 255).rounded())
                let digits = String(value, radix: 16, uppercase: true)
                return digits.utf8.count < 2 ? "0" + digits : digits
            }.joined()
    }

    /// Returns the colour that results on an opaque ground.
    package func blended(_ ground: RGBAColor) -> RGBAColor { mixed(with: ground, 1 - alpha) }

    /// Returns the contrast ratio of WCAG 2: from 1 for the same colour to 21 for black on white.
    package func contrast(on ground: RGBAColor) -> Double {
        let one = blended(ground).luminance
        let other = ground.luminance
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// Returns a mixture that contains a fraction of another colour, from 0 to 1.
    func mixed(with other: RGBAColor, _ part: Double) -> RGBAColor {
        RGBAColor(
            red: red + (other.red - red) * part,
            green: green + (other.green - green) * part,
            blue: blue + (other.blue - blue) * part,
            alpha: 1
        )
    }

    private var luminance: Double {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : PageMath.power((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 48...57: Int(byte) - 48
        case 65...70: Int(byte) - 55
        case 97...102: Int(byte) - 87
        default: nil
        }
    }
}

/// The mathematical functions of the C library.
enum PageMath {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func sine(_ angle: Double) -> Double { sin(angle) }
    static func cosine(_ angle: Double) -> Double { cos(angle) }
    static func arcSine(_ value: Double) -> Double { asin(min(max(value, -1), 1)) }
    static func tangent(_ angle: Double) -> Double { tan(angle) }
    static func log10(_ value: Double) -> Double { Glibc.log10(value) }
}
