public import Foundation
import STContracts

/// A rectangle whose corners are round in their own ways; on a page all are as the roundest.
public struct UnevenRoundedRectangle: InsettableShape, KnownShape {
    /// How round each is.
    public var cornerRadii: RectangleCornerRadii
    /// How they are made.
    public var style: RoundedCornerStyle

    /// So round.
    public init(cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous) {
        self.cornerRadii = cornerRadii
        self.style = style
    }

    /// So round.
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

    /// Its line in an area.
    public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: largest) }

    /// Smaller on all sides.
    public func inset(by amount: CGFloat) -> some InsettableShape {
        InsetShapeBox(shape: self, amount: amount)
    }

    package func outline(in room: CGSize) -> ShapeOutline {
        ShapeOutline(PageShape(kind: .rounded, radius: max(0, Length.of(largest))))
    }
}

/// How round four corners are.
public struct RectangleCornerRadii: Equatable, Sendable {
    /// At the top, where lines begin.
    public var topLeading: CGFloat
    /// At the bottom, where lines begin.
    public var bottomLeading: CGFloat
    /// At the bottom, where lines end.
    public var bottomTrailing: CGFloat
    /// At the top, where lines end.
    public var topTrailing: CGFloat

    /// So round.
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
