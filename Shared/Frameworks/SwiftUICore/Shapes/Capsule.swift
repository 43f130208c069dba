public import Foundation
import STContracts

/// A rectangle whose shorter sides are round.
public struct Capsule: InsettableShape, KnownShape {
    /// How its corners are made.
    public var style: RoundedCornerStyle

    /// With corners of that kind.
    public init(style: RoundedCornerStyle = .continuous) { self.style = style }

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path {
        Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
    }

    /// Smaller on all sides.
    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline { ShapeOutline(PageShape(kind: .capsule)) }
}

extension Shape where Self == Capsule {
    /// A rectangle whose shorter sides are round.
    public static var capsule: Capsule { Capsule() }

    /// A rectangle whose shorter sides are round.
    public static func capsule(style: RoundedCornerStyle) -> Capsule { Capsule(style: style) }
}
