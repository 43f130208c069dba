package import STContracts
import UIKit

/// What can be pressed.
public struct TintShapeStyle: ShapeStyle, PaintStyle {
    /// That.
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        var outside = environment
        outside.look.tint = nil
        return environment.look.tint?.paint(in: outside) ?? Color.accentColor.paint(in: outside)
    }
}

/// The ground.
public struct BackgroundStyle: ShapeStyle, PaintStyle {
    /// That.
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .systemBackground).paint(in: environment)
    }
}

/// A line between things.
public struct SeparatorShapeStyle: ShapeStyle, PaintStyle {
    /// That.
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .separator).paint(in: environment)
    }
}

/// A thin shape.
public struct FillShapeStyle: ShapeStyle, PaintStyle {
    /// That.
    public init() {}

    package func paint(in environment: EnvironmentValues) -> PagePaint {
        Color(uiColor: .systemFill).paint(in: environment)
    }
}

extension ShapeStyle where Self == TintShapeStyle {
    /// What can be pressed.
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

extension ShapeStyle where Self == BackgroundStyle {
    /// The ground.
    public static var background: BackgroundStyle { BackgroundStyle() }
}

extension ShapeStyle where Self == SeparatorShapeStyle {
    /// A line between things.
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}

extension ShapeStyle where Self == FillShapeStyle {
    /// A thin shape.
    public static var fill: FillShapeStyle { FillShapeStyle() }
}
