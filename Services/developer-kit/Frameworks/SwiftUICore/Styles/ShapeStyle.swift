package import STContracts
import UIKit

public protocol ShapeStyle: Sendable {
    associatedtype Resolved: ShapeStyle = Never

    func resolve(in environment: EnvironmentValues) -> Self.Resolved
}

extension ShapeStyle where Resolved == Never {
    public func resolve(in environment: EnvironmentValues) -> Never {
        preconditionFailure("\(Self.self) is not made of other styles.")
    }
}

extension Never: ShapeStyle {}

public struct AnyShapeStyle: ShapeStyle, PaintStyle {
    private let style: any ShapeStyle

    public init<S: ShapeStyle>(_ style: S) { self.style = style }

    package func paint(in environment: EnvironmentValues) -> PagePaint { Paint.of(style, environment) }

    /// Returns the style as one colour.
    func color(in environment: EnvironmentValues) -> Color? {
        if let color = style as? Color, case .pair = color.source { return color }
        // Resolve without the tint, because a tint that refers to the tint would recurse forever.
        var outside = environment
        outside.look.tint = nil
        outside.look.colorScheme = nil
        return Paint.of(style, outside).single.map {
            Color(light: RGBA(hex: $0.light), dark: RGBA(hex: $0.dark))
        }
    }
}

/// A style that provides its paint on a page.
package protocol PaintStyle {
    func paint(in environment: EnvironmentValues) -> PagePaint
}

package enum Paint {
    /// The maximum depth of styles that resolve to other styles.
    private static let depthMax = 16

    package static func of<S: ShapeStyle>(_ style: S, _ environment: EnvironmentValues, depth: Int = 0)
        -> PagePaint
    {
        if let known = style as? any PaintStyle { return known.paint(in: environment) }
        guard S.Resolved.self != Never.self, depth < depthMax else {
            return PagePaint(kind: .color, color: Color.primary.page(in: environment))
        }
        return of(style.resolve(in: environment), environment, depth: depth + 1)
    }
}

extension PagePaint {
    /// The paint as one colour, where only one is possible.
    package var single: PageColor? {
        color ?? stops.flatMap { $0.isEmpty ? nil : $0[$0.count / 2].color }
    }
}

/// A style that is already resolved.
struct FixedPaint: ShapeStyle, PaintStyle, @unchecked Sendable {
    // @unchecked: the value is immutable.
    private let fixed: PagePaint

    init(_ paint: PagePaint) { fixed = paint }

    package func paint(in environment: EnvironmentValues) -> PagePaint { fixed }
}

/// The style of the surrounding text.
public struct ForegroundStyle: ShapeStyle, PaintStyle {
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        HierarchicalShapeStyle.primary.paint(in: environment)
    }
}

extension ShapeStyle where Self == ForegroundStyle { public static var foreground: Self { Self() } }

public struct HierarchicalShapeStyle: ShapeStyle, PaintStyle {
    private let level: Int

    public static let primary = HierarchicalShapeStyle(level: 0)
    public static let secondary = HierarchicalShapeStyle(level: 1)
    public static let tertiary = HierarchicalShapeStyle(level: 2)
    public static let quaternary = HierarchicalShapeStyle(level: 3)
    public static let quinary = HierarchicalShapeStyle(level: 4)

    private static let opacities = [1, 0.6, 0.3, 0.18, 0.1]

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        guard let base = environment.look.foreground else {
            let color = Color.primary.opacity(Self.opacities[level])
            return (level == 1 ? Color.secondary : color).paint(in: environment)
        }
        var outside = environment
        outside.look.foreground = nil
        var paint = base.paint(in: outside)
        guard level > 0 else { return paint }
        let opacity = Self.opacities[level]
        paint.color = paint.color.map { Self.fade($0, opacity) }
        paint.stops = paint.stops?.map { PageStop(color: Self.fade($0.color, opacity), at: $0.at) }
        return paint
    }

    private static func fade(_ color: PageColor, _ opacity: Double) -> PageColor {
        PageColor(
            light: RGBA(hex: color.light).with(opacity: opacity).hex,
            dark: RGBA(hex: color.dark).with(opacity: opacity).hex
        )
    }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle.primary }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle.secondary }
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle.tertiary }
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle.quaternary }
    public static var quinary: HierarchicalShapeStyle { HierarchicalShapeStyle.quinary }
}

public struct TintShapeStyle: ShapeStyle, PaintStyle {
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        var outside = environment
        outside.look.tint = nil
        return environment.look.tint?.paint(in: outside) ?? Color.accentColor.paint(in: outside)
    }
}

public struct BackgroundStyle: ShapeStyle, PaintStyle {
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .systemBackground).paint(in: environment)
    }
}

public struct SeparatorShapeStyle: ShapeStyle, PaintStyle {
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .separator).paint(in: environment)
    }
}

public struct FillShapeStyle: ShapeStyle, PaintStyle {
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .systemFill).paint(in: environment)
    }
}

extension ShapeStyle where Self == TintShapeStyle { public static var tint: Self { Self() } }

extension ShapeStyle where Self == BackgroundStyle { public static var background: Self { Self() } }

extension ShapeStyle where Self == SeparatorShapeStyle { public static var separator: Self { Self() } }

extension ShapeStyle where Self == FillShapeStyle { public static var fill: Self { Self() } }

/// A background material. It is drawn as a plain colour, without blur.
public struct Material: Sendable {
    private let opacity: Double

    public static let ultraThin = Material(opacity: 0.5)
    public static let thin = Material(opacity: 0.6)
    public static let regular = Material(opacity: 0.75)
    public static let thick = Material(opacity: 0.85)
    public static let ultraThick = Material(opacity: 0.95)
    public static let bar = Material(opacity: 0.9)
}

extension Material: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .secondarySystemBackground).opacity(opacity).paint(in: environment)
    }
}

extension ShapeStyle where Self == Material {
    public static var ultraThinMaterial: Material { .ultraThin }
    public static var thinMaterial: Material { .thin }
    public static var regularMaterial: Material { .regular }
    public static var thickMaterial: Material { .thick }
    public static var ultraThickMaterial: Material { .ultraThick }
    public static var bar: Material { Material.bar }
}
