public import Foundation

public class UIColor: NSObject, @unchecked Sendable {
    // @unchecked: a colour is immutable. The closure of a dynamic colour belongs to the app and must have no state, as on a
    // phone.
    private enum Source {
        case fixed(ColorComponents)
        case pair(light: ColorComponents, dark: ColorComponents)
        case dynamic((UITraitCollection) -> UIColor)
    }

    /// The maximum depth of dynamic colours that return dynamic colours. Deeper colours are black.
    private static let depthMax = 8

    private let source: Source

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        source = .fixed(ColorComponents(Double(red), Double(green), Double(blue), Double(alpha)))
    }

    public init(white: CGFloat, alpha: CGFloat) {
        source = .fixed(ColorComponents(Double(white), Double(white), Double(white), Double(alpha)))
    }

    public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        source = .fixed(
            ColorComponents(
                hue: Double(hue),
                saturation: Double(saturation),
                brightness: Double(brightness),
                alpha: Double(alpha)
            )
        )
    }

    /// Creates a colour, converted to the nearest colour in sRGB.
    public init(displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        source = .fixed(
            ColorComponents(displayP3: Double(red), Double(green), Double(blue), Double(alpha))
        )
    }

    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        source = .dynamic(dynamicProvider)
    }

    init(light: ColorComponents, dark: ColorComponents) { source = .pair(light: light, dark: dark) }

    init(_ components: ColorComponents) { source = .fixed(components) }

    /// Creates a colour from the asset catalogues of the app's bundle. Returns `nil`, with an entry in the log, if it is missing.
    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    public convenience init?(
        named name: String,
        in bundle: Bundle?,
        compatibleWith traits: UITraitCollection?
    ) {
        guard let found = AssetFolder.of(bundle).color(name) else {
            AssetFolder.miss("UIColor", name)
            return nil
        }
        self.init(light: found.light, dark: found.dark)
    }

    // MARK: - Derived colours

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        switch source {
        case .fixed(let all): UIColor(all.with(alpha: Double(alpha)))
        case .pair(let light, let dark):
            UIColor(light: light.with(alpha: Double(alpha)), dark: dark.with(alpha: Double(alpha)))
        case .dynamic(let provider): UIColor { provider($0).withAlphaComponent(alpha) }
        }
    }

    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(components(traitCollection))
    }

    // MARK: - Components

    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let parts = components(.current)
        red?.pointee = CGFloat(parts.red)
        green?.pointee = CGFloat(parts.green)
        blue?.pointee = CGFloat(parts.blue)
        alpha?.pointee = CGFloat(parts.alpha)
        return true
    }

    @discardableResult
    public func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?,
        saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let parts = components(.current)
        hue?.pointee = CGFloat(parts.hue.hue)
        saturation?.pointee = CGFloat(parts.hue.saturation)
        brightness?.pointee = CGFloat(parts.hue.brightness)
        alpha?.pointee = CGFloat(parts.alpha)
        return true
    }

    @discardableResult
    public func getWhite(_ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?)
        -> Bool
    {
        let parts = components(.current)
        white?.pointee = CGFloat(parts.white)
        alpha?.pointee = CGFloat(parts.alpha)
        return true
    }

    func components(_ traits: UITraitCollection, depth: Int = 0) -> ColorComponents {
        switch source {
        case .fixed(let all): return all
        case .pair(let light, let dark): return traits.userInterfaceStyle == .dark ? dark : light
        case .dynamic(let provider):
            guard depth < Self.depthMax else { return ColorComponents(0, 0, 0) }
            var color: UIColor?
            traits.performAsCurrent { color = provider(traits) }
            return color?.components(traits, depth: depth + 1) ?? ColorComponents(0, 0, 0)
        }
    }

    /// The colour as `#RRGGBBAA` for light and for dark appearance.
    package var hexes: (light: String, dark: String) {
        (
            components(UITraitCollection(userInterfaceStyle: .light)).hex,
            components(UITraitCollection(userInterfaceStyle: .dark)).hex
        )
    }

    // MARK: - NSObject

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return other === self || other.hexes == hexes
    }

    public override var hash: Int { hexes.light.hashValue }

    public override var description: String {
        let hexes = hexes
        return hexes.light == hexes.dark
            ? "UIColor(\(hexes.light))" : "UIColor(\(hexes.light), dark \(hexes.dark))"
    }
}

/// A colour in sRGB, with each component from 0 to 1.
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

    /// Converts a Display P3 colour to sRGB, and clips values outside sRGB.
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

    /// The relative luminance.
    var white: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    /// The colour as `#RRGGBBAA`.
    var hex: String {
        "#"
            + [red, green, blue, alpha].map { part in
                let text = String(Int((part * 255).rounded()), radix: 16, uppercase: true)
                return text.count < 2 ? "0\(text)" : text
            }.joined()
    }

    func with(alpha: Double) -> ColorComponents { ColorComponents(red, green, blue, alpha) }

    /// Clamps a component to 0 to 1. NaN becomes 0.
    private static func inside(_ part: Double) -> Double { part.isNaN ? 0 : min(1, max(0, part)) }

    private static func linear(_ part: Double) -> Double {
        part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }

    private static func curved(_ part: Double) -> Double {
        part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
    }
}
