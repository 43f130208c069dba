public import Foundation
import STContracts

/// An outline that can be filled and drawn.
public nonisolated protocol Shape: Sendable, Animatable, View {
    /// The outline in an area.
    func path(in rect: CGRect) -> Path
}

extension Shape {
    /// It is filled with what words are written in.
    @MainActor @preconcurrency
    public var body: _ShapeView<Self, ForegroundStyle> {
        _ShapeView(shape: self, fill: AnyShapeStyle(ForegroundStyle()))
    }

    /// Filled.
    @MainActor @preconcurrency
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Self, S> {
        _ShapeView(shape: self, fill: AnyShapeStyle(content))
    }

    /// Filled with what words are written in.
    @MainActor @preconcurrency
    public func fill(style: FillStyle = FillStyle()) -> _ShapeView<Self, ForegroundStyle> { body }

    /// Its line.
    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> _ShapeView<Self, S> {
        stroke(content, style: StrokeStyle(lineWidth: lineWidth))
    }

    /// Its line.
    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1, antialiased: Bool)
        -> _ShapeView<Self, S>
    { stroke(content, style: StrokeStyle(lineWidth: lineWidth)) }

    /// Its line.
    @MainActor @preconcurrency
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle, antialiased: Bool = true)
        -> _ShapeView<Self, S>
    { _ShapeView(shape: self, stroke: AnyShapeStyle(content), line: style) }

    /// Its line, in what words are written in.
    @MainActor @preconcurrency
    public func stroke(lineWidth: CGFloat = 1) -> _ShapeView<Self, ForegroundStyle> {
        stroke(ForegroundStyle(), lineWidth: lineWidth)
    }

    /// Its line, in what words are written in.
    @MainActor @preconcurrency
    public func stroke(style: StrokeStyle) -> _ShapeView<Self, ForegroundStyle> {
        stroke(ForegroundStyle(), style: style)
    }

    /// A part of its line, from 0 to 1.
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
        ChangedShape(shape: self) {
            $0.shape.trimFrom = min(1, max(0, Length.of(startFraction)))
            $0.shape.trimTo = min(1, max(0, Length.of(endFraction)))
        }
    }

    /// Turned.
    public func rotation(_ angle: Angle, anchor: UnitPoint = .center) -> some Shape {
        ChangedShape(shape: self) { $0.rotation += angle.degrees }
    }

    /// Elsewhere.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some Shape {
        ChangedShape(shape: self) {
            $0.x += Length.of(x)
            $0.y += Length.of(y)
        }
    }

    /// Elsewhere.
    public func offset(_ offset: CGSize) -> some Shape { self.offset(x: offset.width, y: offset.height) }

    /// Larger or smaller.
    public func scale(_ scale: CGFloat, anchor: UnitPoint = .center) -> some Shape {
        ChangedShape(shape: self) { $0.scale *= Length.of(scale) }
    }

    /// In that size.
    public func size(width: CGFloat, height: CGFloat) -> some Shape {
        ChangedShape(shape: self) { $0.size = CGSize(width: width, height: height) }
    }
}
