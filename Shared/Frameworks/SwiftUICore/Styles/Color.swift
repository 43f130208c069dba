public import Foundation
package import STContracts
public import UIKit

/// A colour, which may be another one on dark ground.
public struct Color: Hashable, Sendable, CustomStringConvertible {
    enum Source: Hashable, Sendable {
        case pair(RGBA, RGBA)
        /// What can be pressed, as the views around say.
        case accent(opacity: Double)
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    init(light: RGBA, dark: RGBA) { source = .pair(light, dark) }

    init(_ both: RGBA) { source = .pair(both, both) }

    /// How the parts of a colour are meant.
    public enum RGBColorSpace: Hashable, Sendable {
        /// As most screens have it.
        case sRGB
        /// The same, without its curve.
        case sRGBLinear
        /// With colours that not all screens have.
        case displayP3
    }

    /// A colour of parts from 0 to 1.
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

    /// A grey from 0, which is black, to 1.
    public init(_ colorSpace: Color.RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    /// By its place in the circle of colours, its strength and its brightness, from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        self.init(
            uiColor: UIColor(hue: hue, saturation: saturation, brightness: brightness, alpha: opacity)
        )
    }

    /// The colour of that name in the app's asset catalogues; nothing, with a line in the log, when there is none.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(uiColor: UIColor(named: name, in: bundle, compatibleWith: nil) ?? .clear)
    }

    /// UIKit's.
    public init(uiColor: UIColor) {
        let hexes = uiColor.hexes
        self.init(light: RGBA(hex: hexes.light), dark: RGBA(hex: hexes.dark))
    }

    /// UIKit's.
    public init(_ color: UIColor) { self.init(uiColor: color) }

    /// As opaque as said, from 0 to 1, of what it was.
    public func opacity(_ opacity: Double) -> Color {
        switch source {
        case .pair(let light, let dark):
            Color(light: light.with(opacity: opacity), dark: dark.with(opacity: opacity))
        case .accent(let before): Color(.accent(opacity: before * opacity))
        }
    }

    /// Between this and another one.
    public func mix(with rhs: Color, by fraction: Double) -> Color {
        let (a, b) = (faces, rhs.faces)
        let part = min(1, max(0, fraction))
        return Color(
            light: a.light.mixed(with: b.light, by: part),
            dark: a.dark.mixed(with: b.dark, by: part)
        )
    }

    /// From a lighter shade to this one.
    public var gradient: AnyGradient { AnyGradient(Gradient(colors: [mix(with: .white, by: 0.2), self])) }

    /// For a developer.
    public var description: String {
        let faces = faces
        return faces.light == faces.dark ? faces.light.hex : "\(faces.light.hex), dark \(faces.dark.hex)"
    }

    /// On light and on dark ground, where nobody said what can be pressed.
    var faces: (light: RGBA, dark: RGBA) {
        switch source {
        case .pair(let light, let dark): (light, dark)
        case .accent(let opacity): Color.blue.opacity(opacity).faces
        }
    }
}

extension Color {
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
}

extension Color: View, PrimitiveView {
    /// It is an area of that colour.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws { try page.fill(self) }
}

extension Color: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .color, color: page(in: environment))
    }
}

extension UIColor {
    /// SwiftUI's.
    public convenience init(_ color: Color) {
        let faces = color.faces
        self.init { traits in
            let face = traits.userInterfaceStyle == .dark ? faces.dark : faces.light
            return UIColor(red: face.red, green: face.green, blue: face.blue, alpha: face.alpha)
        }
    }
}
