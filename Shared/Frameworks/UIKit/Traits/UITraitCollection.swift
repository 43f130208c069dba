public import Foundation
import Synchronization

/// What things are drawn for.
public final class UITraitCollection: NSObject, Sendable {
    /// Whether the desktop is light or dark.
    public let userInterfaceStyle: UIUserInterfaceStyle

    /// How many pixels a point has; 0 is as many as the screen has.
    public let displayScale: CGFloat

    private static let present = Mutex(UITraitCollection(userInterfaceStyle: .light))

    /// What is drawn for now.
    ///
    /// A colour that is made from a closure has this set while the closure is asked. An extension does not know its desktop;
    /// a shield's colours are asked for both kinds.
    public static var current: UITraitCollection {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }

    /// Traits that say nothing.
    public override convenience init() { self.init(userInterfaceStyle: .unspecified) }

    /// Traits that say only this.
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(userInterfaceStyle, displayScale: 0)
    }

    /// Traits that say only this.
    public convenience init(displayScale: CGFloat) { self.init(.unspecified, displayScale: displayScale) }

    /// Traits that say all that these say; the last word counts.
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

    /// Whether colours are others for those traits.
    public func hasDifferentColorAppearance(comparedTo traits: UITraitCollection?) -> Bool {
        userInterfaceStyle != traits?.userInterfaceStyle
    }

    /// Does something while these are `current`.
    public func performAsCurrent(_ actions: () -> Void) {
        let before = Self.current
        Self.current = self
        actions()
        Self.current = before
    }

    /// Whether both say the same.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UITraitCollection else { return false }
        return other.userInterfaceStyle == userInterfaceStyle && other.displayScale == displayScale
    }

    /// Equal traits have equal ones.
    public override var hash: Int { userInterfaceStyle.hashValue ^ displayScale.hashValue }
}
