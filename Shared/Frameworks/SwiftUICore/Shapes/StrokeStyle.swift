public import Foundation

/// How an outline is drawn; of it only the width is kept.
public struct StrokeStyle: Equatable, Sendable {
    /// How a line ends.
    public enum LineCap: Int32, Sendable {
        /// At its end.
        case butt
        /// Round.
        case round
        /// Square, beyond its end.
        case square
    }

    /// How a line turns.
    public enum LineJoin: Int32, Sendable {
        /// With a point.
        case miter
        /// Round.
        case round
        /// Cut off.
        case bevel
    }

    /// How wide the line is.
    public var lineWidth: CGFloat
    /// How it ends.
    public var lineCap: LineCap
    /// How it turns.
    public var lineJoin: LineJoin
    /// How far a point may reach.
    public var miterLimit: CGFloat
    /// Of which lengths it consists.
    public var dash: [CGFloat]
    /// Where these begin.
    public var dashPhase: CGFloat

    /// So.
    public init(
        lineWidth: CGFloat = 1,
        lineCap: LineCap = .butt,
        lineJoin: LineJoin = .miter,
        miterLimit: CGFloat = 10,
        dash: [CGFloat] = [],
        dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

/// Core Graphics' name for how a line ends.
public typealias CGLineCap = StrokeStyle.LineCap

/// Core Graphics' name for how a line turns.
public typealias CGLineJoin = StrokeStyle.LineJoin
