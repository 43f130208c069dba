public import Foundation

/// Something that is done to what lies behind.
public class UIVisualEffect: NSObject {
    /// One that does nothing.
    public override init() { super.init() }
}

/// Blurs what lies behind.
public final class UIBlurEffect: UIVisualEffect {
    /// How much, and in which tone; the numbers are Apple's.
    public enum Style: Int, Sendable {
        /// Lighter than `light`.
        case extraLight = 0

        /// Light.
        case light = 1

        /// Dark.
        case dark = 2

        /// As the desktop is.
        case regular = 4

        /// As the desktop is, and stronger.
        case prominent = 5

        /// The thinnest, as the desktop is.
        case systemUltraThinMaterial = 6

        /// Thin, as the desktop is.
        case systemThinMaterial = 7

        /// As the desktop is.
        case systemMaterial = 8

        /// Thick, as the desktop is.
        case systemThickMaterial = 9

        /// As the frame of a window, as the desktop is.
        case systemChromeMaterial = 10

        /// The thinnest, always light.
        case systemUltraThinMaterialLight = 11

        /// Thin, always light.
        case systemThinMaterialLight = 12

        /// Always light.
        case systemMaterialLight = 13

        /// Thick, always light.
        case systemThickMaterialLight = 14

        /// As the frame of a window, always light.
        case systemChromeMaterialLight = 15

        /// The thinnest, always dark.
        case systemUltraThinMaterialDark = 16

        /// Thin, always dark.
        case systemThinMaterialDark = 17

        /// Always dark.
        case systemMaterialDark = 18

        /// Thick, always dark.
        case systemThickMaterialDark = 19

        /// As the frame of a window, always dark.
        case systemChromeMaterialDark = 20
    }

    let style: Style

    /// The blur of that style.
    public init(style: Style) {
        self.style = style
        super.init()
    }
}
