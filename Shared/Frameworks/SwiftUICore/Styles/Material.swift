package import STContracts
import UIKit

/// A ground that lets through a little of what is behind; on a page a plain one.
public struct Material: Sendable {
    private let opacity: Double

    /// Lets through most.
    public static let ultraThin = Material(opacity: 0.5)
    /// Lets through much.
    public static let thin = Material(opacity: 0.6)
    /// Lets through some.
    public static let regular = Material(opacity: 0.75)
    /// Lets through little.
    public static let thick = Material(opacity: 0.85)
    /// Lets through least.
    public static let ultraThick = Material(opacity: 0.95)
    /// As a bar has it.
    public static let bar = Material(opacity: 0.9)
}

extension Material: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .secondarySystemBackground).opacity(opacity).paint(in: environment)
    }
}

extension ShapeStyle where Self == Material {
    /// Lets through most.
    public static var ultraThinMaterial: Material { .ultraThin }
    /// Lets through much.
    public static var thinMaterial: Material { .thin }
    /// Lets through some.
    public static var regularMaterial: Material { .regular }
    /// Lets through little.
    public static var thickMaterial: Material { .thick }
    /// Lets through least.
    public static var ultraThickMaterial: Material { .ultraThick }
    /// As a bar has it.
    public static var bar: Material { Material.bar }
}
