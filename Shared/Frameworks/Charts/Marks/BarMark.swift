public import Foundation
import STContracts

/// A bar.
public struct BarMark: ChartContent, PrimitiveChartContent {
    /// It does not consist of others.
    public typealias Body = Never

    private let draft: MarkDraft

    private init(_ change: (inout MarkDraft) -> Void) {
        var draft = MarkDraft(.bar)
        change(&draft)
        self.draft = draft
    }

    /// From nothing to a value; bars of one place stand on each other.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        width: MarkDimension = .automatic,
        height: MarkDimension = .automatic,
        stacking: MarkStackingMethod = .standard
    ) {
        self.init { draft in
            draft.x = PlotValue(x)
            draft.y = PlotValue(y)
            draft.width = width.page == nil ? height : width
            draft.stacking = stacking
        }
    }

    /// From one value to another, to the side.
    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {
        self.init { draft in
            draft.x = PlotValue(xStart)
            draft.xEnd = PlotValue(xEnd)
            draft.y = PlotValue(y)
            draft.width = height
        }
    }

    /// From one value to another, upwards.
    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) {
        self.init { draft in
            draft.x = PlotValue(x)
            draft.y = PlotValue(yStart)
            draft.yEnd = PlotValue(yEnd)
            draft.width = width
        }
    }

    /// A part of the one bar that there is, to the side.
    public init<X: Plottable>(
        x: PlottableValue<X>,
        yStart: CGFloat? = nil,
        yEnd: CGFloat? = nil,
        width: MarkDimension = .automatic,
        stacking: MarkStackingMethod = .standard
    ) {
        self.init { draft in
            draft.x = PlotValue(x)
            draft.width = width
            draft.stacking = stacking
        }
    }

    /// A part of the one bar that there is, upwards.
    public init<Y: Plottable>(
        xStart: CGFloat? = nil,
        xEnd: CGFloat? = nil,
        y: PlottableValue<Y>,
        height: MarkDimension = .automatic,
        stacking: MarkStackingMethod = .standard
    ) {
        self.init { draft in
            draft.y = PlotValue(y)
            draft.width = height
            draft.stacking = stacking
        }
    }

    /// A stretch, to the side.
    public init<X: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        yStart: CGFloat? = nil,
        yEnd: CGFloat? = nil
    ) {
        self.init { draft in
            draft.x = PlotValue(xStart)
            draft.xEnd = PlotValue(xEnd)
        }
    }

    /// A stretch, upwards.
    public init<Y: Plottable>(
        xStart: CGFloat? = nil,
        xEnd: CGFloat? = nil,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        self.init { draft in
            draft.y = PlotValue(yStart)
            draft.yEnd = PlotValue(yEnd)
        }
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
