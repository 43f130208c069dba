import Foundation

/// A colour in sRGB, each part from 0 to 1.
struct ColorComponents: Sendable, Hashable {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.red = Self.inside(red)
        self.green = Self.inside(green)
        self.blue = Self.inside(blue)
        self.alpha = Self.inside(alpha)
    }

    init(hue: Double, saturation: Double, brightness: Double, alpha: Double) {
        let (saturation, brightness) = (Self.inside(saturation), Self.inside(brightness))
        let sector = Self.inside(hue) * 6
        func part(_ offset: Double) -> Double {
            let place = (offset + sector).truncatingRemainder(dividingBy: 6)
            return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
        }
        self.init(part(5), part(3), part(1), alpha)
    }

    /// As it is seen on a screen with fewer colours than Display P3 has.
    init(displayP3 red: Double, _ green: Double, _ blue: Double, _ alpha: Double) {
        let (r, g, b) = (Self.linear(red), Self.linear(green), Self.linear(blue))
        self.init(
            Self.curved(1.2249 * r - 0.2247 * g),
            Self.curved(-0.0420 * r + 1.0419 * g),
            Self.curved(-0.0197 * r - 0.0786 * g + 1.0979 * b),
            alpha
        )
    }

    var hue: (hue: Double, saturation: Double, brightness: Double) {
        let high = max(red, green, blue)
        let range = high - min(red, green, blue)
        guard range > 0 else { return (0, 0, high) }
        let sector =
            switch high {
            case red: (green - blue) / range
            case green: (blue - red) / range + 2
            default: (red - green) / range + 4
            }
        return ((sector < 0 ? sector + 6 : sector) / 6, range / high, high)
    }

    /// What a person sees of it when it has no colour.
    var white: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    /// `#RRGGBBAA`.
    var hex: String {
        "#"
            + [red, green, blue, alpha].map { part in
                let text = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
                return text.count < 2 ? "0\(text)" : text
            }.joined()
    }

    func with(alpha: Double) -> ColorComponents { ColorComponents(red, green, blue, alpha) }

    /// What is no number is nothing.
    private static func inside(_ part: Double) -> Double { part.isNaN ? 0 : min(1, max(0, part)) }

    private static func linear(_ part: Double) -> Double {
        part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }

    private static func curved(_ part: Double) -> Double {
        part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
    }
}
