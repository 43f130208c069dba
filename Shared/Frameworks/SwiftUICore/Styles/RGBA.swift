import Foundation

/// A colour in sRGB, each part from 0 to 1.
struct RGBA: Hashable, Sendable {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double

    init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `#RRGGBBAA`, as UIKit and pages have it.
    init(hex: String) {
        let number = UInt32(hex.dropFirst(), radix: 16) ?? 0
        func part(_ shift: UInt32) -> Double { Double(number >> shift & 0xFF) / 255 }
        self.init(part(24), part(16), part(8), part(0))
    }

    var hex: String {
        let parts = [red, green, blue, alpha].map { part -> String in
            let byte = part.isNaN ? 0 : Int((min(1, max(0, part)) * 255).rounded())
            let text = String(byte, radix: 16, uppercase: true)
            return text.count < 2 ? "0\(text)" : text
        }
        return "#" + parts.joined()
    }

    func with(opacity: Double) -> RGBA { RGBA(red, green, blue, alpha * min(1, max(0, opacity))) }

    func mixed(with other: RGBA, by part: Double) -> RGBA {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        return RGBA(
            mix(red, other.red),
            mix(green, other.green),
            mix(blue, other.blue),
            mix(alpha, other.alpha)
        )
    }
}
