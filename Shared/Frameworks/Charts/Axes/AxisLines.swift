public import Foundation
public import SwiftUICore

/// A line across the chart at a value.
public struct AxisGridLine: AxisMark, PrimitiveAxisMark {
    /// It does not consist of other parts.
    public typealias Body = Never

    /// A line.
    public init(centered: Bool? = nil, stroke: StrokeStyle? = nil) {}

    func put(_ tick: inout AxisTickDraft) { tick.hasLine = true }
}

/// A short line at a value.
public struct AxisTick: AxisMark, PrimitiveAxisMark {
    /// It does not consist of other parts.
    public typealias Body = Never

    /// How long it is.
    public enum Length: Hashable, Sendable {
        /// What looks right.
        case automatic
        /// As long as the words.
        case label(extendPastBy: CGFloat = 0)
        /// To the longest words.
        case longestLabel(extendPastBy: CGFloat = 0)
    }

    /// A line.
    public init(centered: Bool? = nil, length: Length = .automatic, stroke: StrokeStyle? = nil) {}

    /// A line of that length.
    public init(centered: Bool? = nil, length: CGFloat, stroke: StrokeStyle? = nil) {}

    func put(_ tick: inout AxisTickDraft) { tick.hasLine = true }
}
