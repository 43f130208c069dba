public import Foundation
import Synchronization

public final class UITraitCollection: NSObject, Sendable {
    public let userInterfaceStyle: UIUserInterfaceStyle
    public let displayScale: CGFloat

    private static let present = Mutex(UITraitCollection(userInterfaceStyle: .light))

    /// The traits for which a dynamic colour is resolved. They are set while its closure runs.
    ///
    /// An extension cannot read the style of its desktop, so the colours of a shield are resolved for both styles.
    public static var current: UITraitCollection {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }

    public override convenience init() { self.init(userInterfaceStyle: .unspecified) }

    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(userInterfaceStyle, displayScale: 0)
    }

    public convenience init(displayScale: CGFloat) { self.init(.unspecified, displayScale: displayScale) }

    public convenience init(traitsFrom collections: [UITraitCollection]) {
        self.init(
            collections.last { $0.userInterfaceStyle != .unspecified }?.userInterfaceStyle ?? .unspecified,
            displayScale: collections.last { $0.displayScale != 0 }?.displayScale ?? 0
        )
    }

    private init(_ style: UIUserInterfaceStyle, displayScale: CGFloat) {
        userInterfaceStyle = style
        self.displayScale = displayScale
        super.init()
    }

    public func hasDifferentColorAppearance(comparedTo traits: UITraitCollection?) -> Bool {
        userInterfaceStyle != traits?.userInterfaceStyle
    }

    public func performAsCurrent(_ actions: () -> Void) {
        let before = Self.current
        Self.current = self
        actions()
        Self.current = before
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UITraitCollection else { return false }
        return other.userInterfaceStyle == userInterfaceStyle && other.displayScale == displayScale
    }

    public override var hash: Int { userInterfaceStyle.hashValue ^ displayScale.hashValue }
}

public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified, light, dark
}

public class UIVisualEffect: NSObject {
    public override init() { super.init() }
}

public final class UIBlurEffect: UIVisualEffect {
    /// The raw values are Apple's.
    public enum Style: Int, Sendable {
        case extraLight = 0

        case light = 1

        case dark = 2

        case regular = 4

        case prominent = 5

        case systemUltraThinMaterial = 6

        case systemThinMaterial = 7

        case systemMaterial = 8

        case systemThickMaterial = 9

        case systemChromeMaterial = 10

        case systemUltraThinMaterialLight = 11

        case systemThinMaterialLight = 12

        case systemMaterialLight = 13

        case systemThickMaterialLight = 14

        case systemChromeMaterialLight = 15

        case systemUltraThinMaterialDark = 16

        case systemThinMaterialDark = 17

        case systemMaterialDark = 18

        case systemThickMaterialDark = 19

        case systemChromeMaterialDark = 20
    }

    let style: Style

    public init(style: Style) {
        self.style = style
        super.init()
    }
}
