public import Foundation

/// A shape that can be made smaller on all sides.
public nonisolated protocol InsettableShape: Shape {
    /// What it is then.
    associatedtype InsetShape: InsettableShape

    /// Smaller on all sides.
    func inset(by amount: CGFloat) -> InsetShape
}

extension InsettableShape {
    /// Its line, inside of it.
    @MainActor @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { stroke(content, lineWidth: lineWidth) }

    /// Its line, inside of it.
    @MainActor @preconcurrency
    public func strokeBorder<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { stroke(content, style: style) }

    /// Its line, inside of it.
    @MainActor @preconcurrency
    public func strokeBorder(lineWidth: CGFloat = 1, antialiased: Bool = true) -> _ShapeView<
        Self, ForegroundStyle
    > { stroke(lineWidth: lineWidth) }
}
