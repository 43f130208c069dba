public import Foundation
import STContracts

public struct Rectangle: InsettableShape, KnownShape {
    public init() {}

    public func path(in rect: CGRect) -> Path { Path(rect) }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .rectangle)) }
}

extension Shape where Self == Rectangle { public static var rect: Rectangle { Rectangle() } }

public struct RoundedRectangle: InsettableShape, KnownShape {
    public var cornerSize: CGSize
    public var style: RoundedCornerStyle

    public init(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        self.cornerSize = cornerSize
        self.style = style
    }

    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.init(cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }

    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerSize: cornerSize, style: style)
    }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline {
        ShapeOutline(
            PageShape(kind: .rounded, radius: max(0, Length.of(min(cornerSize.width, cornerSize.height))))
        )
    }
}

extension Shape where Self == RoundedRectangle {
    public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous)
        -> RoundedRectangle
    {
        RoundedRectangle(cornerRadius: cornerRadius, style: style)
    }

    public static func rect(cornerSize: CGSize, style: RoundedCornerStyle = .continuous) -> RoundedRectangle {
        RoundedRectangle(cornerSize: cornerSize, style: style)
    }
}

public enum RoundedCornerStyle: Sendable {
    case circular, continuous
}

/// A rectangle with different corner radii. All corners are drawn with the largest radius.
public struct UnevenRoundedRectangle: InsettableShape, KnownShape {
    public var cornerRadii: RectangleCornerRadii
    public var style: RoundedCornerStyle

    public init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        self.cornerRadii = cornerRadii
        self.style = style
    }

    public init(
        topLeadingRadius: CGFloat = 0,
        bottomLeadingRadius: CGFloat = 0,
        bottomTrailingRadius: CGFloat = 0,
        topTrailingRadius: CGFloat = 0,
        style: RoundedCornerStyle = .continuous
    ) {
        self.init(
            cornerRadii: RectangleCornerRadii(
                topLeading: topLeadingRadius,
                bottomLeading: bottomLeadingRadius,
                bottomTrailing: bottomTrailingRadius,
                topTrailing: topTrailingRadius
            ),
            style: style
        )
    }

    private var largest: CGFloat {
        max(
            cornerRadii.topLeading,
            cornerRadii.topTrailing,
            cornerRadii.bottomLeading,
            cornerRadii.bottomTrailing
        )
    }

    public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: largest) }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline {
        ShapeOutline(PageShape(kind: .rounded, radius: max(0, Length.of(largest))))
    }
}

public struct RectangleCornerRadii: Equatable, Sendable {
    public var topLeading: CGFloat
    public var bottomLeading: CGFloat
    public var bottomTrailing: CGFloat
    public var topTrailing: CGFloat

    public init(
        topLeading: CGFloat = 0,
        bottomLeading: CGFloat = 0,
        bottomTrailing: CGFloat = 0,
        topTrailing: CGFloat = 0
    ) {
        self.topLeading = topLeading
        self.bottomLeading = bottomLeading
        self.bottomTrailing = bottomTrailing
        self.topTrailing = topTrailing
    }
}

public struct Capsule: InsettableShape, KnownShape {
    public var style: RoundedCornerStyle

    public init(style: RoundedCornerStyle = .continuous) { self.style = style }

    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .capsule)) }
}

extension Shape where Self == Capsule {
    public static var capsule: Self { Self() }

    public static func capsule(style: RoundedCornerStyle) -> Capsule { Capsule(style: style) }
}

public struct Circle: InsettableShape, KnownShape {
    public init() {}

    public func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        return Path(
            ellipseIn: CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
        )
    }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .circle)) }
}

extension Shape where Self == Circle { public static var circle: Circle { Circle() } }

public struct Ellipse: InsettableShape, KnownShape {
    public init() {}

    public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }

    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .ellipse)) }
}

extension Shape where Self == Ellipse { public static var ellipse: Ellipse { Ellipse() } }

public struct AnyShape: Shape, KnownShape {
    private let shape: any Shape

    public init<S: Shape>(_ shape: S) { self.shape = shape }

    public func path(in rect: CGRect) -> Path { shape.path(in: rect) }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline.of(shape, in: room) }
}

/// A shape that follows its container. It is always a rectangle.
public struct ContainerRelativeShape: Shape, KnownShape {
    public init() {}

    public func path(in rect: CGRect) -> Path { Path(rect) }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .rectangle)) }
}
