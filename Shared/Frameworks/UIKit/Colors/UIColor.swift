public import Foundation

/// A colour, which may be another one on a dark desktop.
public class UIColor: NSObject, @unchecked Sendable {
    // @unchecked: nothing changes; a closure that makes colours is the app's, and must do without state as on a phone.
    private enum Source {
        case fixed(ColorComponents)
        case pair(light: ColorComponents, dark: ColorComponents)
        case dynamic((UITraitCollection) -> UIColor)
    }

    /// A colour whose closure gives a colour with a closure, and so on, is black in the end.
    private static let depthMax = 8

    private let source: Source

    /// A colour of parts from 0 to 1, in sRGB.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        source = .fixed(ColorComponents(Double(red), Double(green), Double(blue), Double(alpha)))
    }

    /// A grey from 0, which is black, to 1.
    public init(white: CGFloat, alpha: CGFloat) {
        source = .fixed(ColorComponents(Double(white), Double(white), Double(white), Double(alpha)))
    }

    /// A colour by its place in the circle of colours, its strength and its brightness, from 0 to 1.
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

    /// A colour of parts from 0 to 1, in Display P3; what sRGB has not is as near to it as can be.
    public init(displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        source = .fixed(
            ColorComponents(displayP3: Double(red), Double(green), Double(blue), Double(alpha))
        )
    }

    /// A colour that the closure knows for each desktop.
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        source = .dynamic(dynamicProvider)
    }

    init(light: ColorComponents, dark: ColorComponents) { source = .pair(light: light, dark: dark) }

    init(_ components: ColorComponents) { source = .fixed(components) }

    /// The colour of that name in the asset catalogues of the app's bundle.
    ///
    /// Nil, with a line in the log, when there is none.
    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    /// The colour of that name in the asset catalogues of a bundle; nil is the app's.
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

    // MARK: - Made from others

    /// The same, and as opaque as said, from 0 to 1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        switch source {
        case .fixed(let all): UIColor(all.with(alpha: Double(alpha)))
        case .pair(let light, let dark):
            UIColor(light: light.with(alpha: Double(alpha)), dark: dark.with(alpha: Double(alpha)))
        case .dynamic(let provider): UIColor { provider($0).withAlphaComponent(alpha) }
        }
    }

    /// What it is for those traits, whatever the desktop.
    public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
        UIColor(components(traitCollection))
    }

    // MARK: - Its parts

    /// Its parts for what is drawn for now; always true.
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

    /// Its place in the circle of colours, for what is drawn for now; always true.
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

    /// How light it is, for what is drawn for now; always true.
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

    /// `#RRGGBBAA` on a light and on a dark desktop.
    package var hexes: (light: String, dark: String) {
        (
            components(UITraitCollection(userInterfaceStyle: .light)).hex,
            components(UITraitCollection(userInterfaceStyle: .dark)).hex
        )
    }

    // MARK: - As an object

    /// Whether both look the same on light and on dark desktops.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return other === self || other.hexes == hexes
    }

    /// Equal colours have equal ones.
    public override var hash: Int { hexes.light.hashValue }

    /// For a developer.
    public override var description: String {
        let hexes = hexes
        return hexes.light == hexes.dark
            ? "UIColor(\(hexes.light))" : "UIColor(\(hexes.light), dark \(hexes.dark))"
    }
}
