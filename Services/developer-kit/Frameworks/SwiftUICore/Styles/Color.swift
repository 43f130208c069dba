public import Foundation
package import STContracts
public import UIKit

public struct Color: Hashable, Sendable, CustomStringConvertible {
    enum Source: Hashable, Sendable {
        case pair(RGBA, RGBA)
        /// The tint colour of the surrounding views.
        case accent(opacity: Double)
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    init(light: RGBA, dark: RGBA) { source = .pair(light, dark) }

    init(_ both: RGBA) { source = .pair(both, both) }

    public enum RGBColorSpace: Hashable, Sendable {
        case sRGB, sRGBLinear, displayP3
    }

    public init(
        _ colorSpace: Color.RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        switch colorSpace {
        case .sRGB: self.init(RGBA(red, green, blue, opacity))
        case .sRGBLinear:
            func curved(_ part: Double) -> Double {
                part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
            }
            self.init(RGBA(curved(red), curved(green), curved(blue), opacity))
        case .displayP3:
            self.init(uiColor: UIColor(displayP3Red: red, green: green, blue: blue, alpha: opacity))
        }
    }

    public init(_ colorSpace: Color.RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        self.init(
            uiColor: UIColor(hue: hue, saturation: saturation, brightness: brightness, alpha: opacity)
        )
    }

    /// Creates a colour from the app's asset catalogues. A missing colour is clear, and is logged.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(uiColor: UIColor(named: name, in: bundle, compatibleWith: nil) ?? .clear)
    }

    public init(_ resource: ColorResource) { self.init(uiColor: UIColor(resource: resource)) }

    public init(uiColor: UIColor) {
        let hexes = uiColor.hexes
        self.init(light: RGBA(hex: hexes.light), dark: RGBA(hex: hexes.dark))
    }

    /// Creates a colour. This initializer has a lower priority than the one for resources, because `.name` may match both.
    @_disfavoredOverload
    public init(_ color: UIColor) { self.init(uiColor: color) }

    public func opacity(_ opacity: Double) -> Color {
        switch source {
        case .pair(let light, let dark):
            Color(light: light.with(opacity: opacity), dark: dark.with(opacity: opacity))
        case .accent(let before): Color(.accent(opacity: before * opacity))
        }
    }

    public func mix(with rhs: Color, by fraction: Double) -> Color {
        let (a, b) = (faces, rhs.faces)
        let part = min(1, max(0, fraction))
        return Color(
            light: a.light.mixed(with: b.light, by: part),
            dark: a.dark.mixed(with: b.dark, by: part)
        )
    }

    public var gradient: AnyGradient { AnyGradient(Gradient(colors: [mix(with: .white, by: 0.2), self])) }

    public var description: String {
        let faces = faces
        return faces.light == faces.dark ? faces.light.hex : "\(faces.light.hex), dark \(faces.dark.hex)"
    }

    /// The colours for light and dark appearance. An accent colour without a tint is blue.
    var faces: (light: RGBA, dark: RGBA) {
        switch source {
        case .pair(let light, let dark): (light, dark)
        case .accent(let opacity): Color.blue.opacity(opacity).faces
        }
    }

    package func page(in environment: EnvironmentValues) -> PageColor {
        var faces = faces
        if case .accent(let opacity) = source, let tint = environment.look.tint?.color(in: environment) {
            faces = tint.opacity(opacity).faces
        }
        return switch environment.look.colorScheme {
        case .light?: PageColor(light: faces.light.hex, dark: faces.light.hex)
        case .dark?: PageColor(light: faces.dark.hex, dark: faces.dark.hex)
        case nil: PageColor(light: faces.light.hex, dark: faces.dark.hex)
        }
    }

    public static let red = Color(uiColor: .systemRed)
    public static let orange = Color(uiColor: .systemOrange)
    public static let yellow = Color(uiColor: .systemYellow)
    public static let green = Color(uiColor: .systemGreen)
    public static let mint = Color(uiColor: .systemMint)
    public static let teal = Color(uiColor: .systemTeal)
    public static let cyan = Color(uiColor: .systemCyan)
    public static let blue = Color(uiColor: .systemBlue)
    public static let indigo = Color(uiColor: .systemIndigo)
    public static let purple = Color(uiColor: .systemPurple)
    public static let pink = Color(uiColor: .systemPink)
    public static let brown = Color(uiColor: .systemBrown)
    public static let white = Color(uiColor: .white)
    public static let gray = Color(uiColor: .systemGray)
    public static let black = Color(uiColor: .black)
    public static let clear = Color(uiColor: .clear)
    public static let primary = Color(uiColor: .label)
    public static let secondary = Color(uiColor: .secondaryLabel)
    public static var accentColor: Color { Color(.accent(opacity: 1)) }
}

extension Color: View, PrimitiveView {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension Color: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .color, color: page(in: environment))
    }
}

extension UIColor {
    public convenience init(_ color: Color) {
        let faces = color.faces
        self.init { traits in
            let face = traits.userInterfaceStyle == .dark ? faces.dark : faces.light
            return UIColor(red: face.red, green: face.green, blue: face.blue, alpha: face.alpha)
        }
    }
}

extension ShapeStyle where Self == Color {
    public static var red: Color { Color.red }
    public static var orange: Color { Color.orange }
    public static var yellow: Color { Color.yellow }
    public static var green: Color { Color.green }
    public static var mint: Color { Color.mint }
    public static var teal: Color { Color.teal }
    public static var cyan: Color { Color.cyan }
    public static var blue: Color { Color.blue }
    public static var indigo: Color { Color.indigo }
    public static var purple: Color { Color.purple }
    public static var pink: Color { Color.pink }
    public static var brown: Color { Color.brown }
    public static var white: Color { Color.white }
    public static var gray: Color { Color.gray }
    public static var black: Color { Color.black }
    public static var clear: Color { Color.clear }
}

/// A colour in sRGB, with each component from 0 to 1.
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

    /// Creates a colour from `#RRGGBBAA`, the format of UIKit and of pages.
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
