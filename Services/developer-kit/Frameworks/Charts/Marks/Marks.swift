public import Foundation
import STContracts

public struct BarMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private let draft: MarkDraft

    private init(_ change: (inout MarkDraft) -> Void) {
        var draft = MarkDraft(.bar)
        change(&draft)
        self.draft = draft
    }

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

public struct RectangleMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private var draft = MarkDraft(.bar)

    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>,
        width: MarkDimension = .automatic
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
        draft.width = width
    }

    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        y: PlottableValue<Y>,
        height: MarkDimension = .automatic
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(y)
        draft.width = height
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}

public struct LineMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private var draft = MarkDraft(.line)

    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
    }

    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        series: PlottableValue<S>
    ) {
        self.init(x: x, y: y)
        draft.series = PlotValue(series)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}

public struct AreaMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private var draft = MarkDraft(.area)

    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        stacking: MarkStackingMethod = .standard
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
        draft.stacking = stacking
    }

    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        y: PlottableValue<Y>,
        series: PlottableValue<S>,
        stacking: MarkStackingMethod = .standard
    ) {
        self.init(x: x, y: y, stacking: stacking)
        draft.series = PlotValue(series)
    }

    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    public init<X: Plottable, Y: Plottable, S: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>,
        series: PlottableValue<S>
    ) {
        self.init(x: x, yStart: yStart, yEnd: yEnd)
        draft.series = PlotValue(series)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}

public struct PointMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private var draft = MarkDraft(.point)

    public init<X: Plottable, Y: Plottable>(x: PlottableValue<X>, y: PlottableValue<Y>) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(y)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}

public struct RuleMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private var draft = MarkDraft(.rule)

    public init<X: Plottable>(x: PlottableValue<X>, yStart: CGFloat? = nil, yEnd: CGFloat? = nil) {
        draft.x = PlotValue(x)
    }

    public init<Y: Plottable>(xStart: CGFloat? = nil, xEnd: CGFloat? = nil, y: PlottableValue<Y>) {
        draft.y = PlotValue(y)
    }

    public init<X: Plottable, Y: Plottable>(
        x: PlottableValue<X>,
        yStart: PlottableValue<Y>,
        yEnd: PlottableValue<Y>
    ) {
        draft.x = PlotValue(x)
        draft.y = PlotValue(yStart)
        draft.yEnd = PlotValue(yEnd)
    }

    public init<X: Plottable, Y: Plottable>(
        xStart: PlottableValue<X>,
        xEnd: PlottableValue<X>,
        y: PlottableValue<Y>
    ) {
        draft.x = PlotValue(xStart)
        draft.xEnd = PlotValue(xEnd)
        draft.y = PlotValue(y)
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}

public struct SectorMark: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private let draft: MarkDraft

    public init<Value: Plottable>(
        angle: PlottableValue<Value>,
        innerRadius: MarkDimension = .automatic,
        outerRadius: MarkDimension = .automatic,
        angularInset: CGFloat? = nil
    ) {
        var draft = MarkDraft(.sector)
        draft.angle = PlotValue(angle)
        draft.inner = innerRadius
        draft.outer = outerRadius
        draft.inset = angularInset
        self.draft = draft
    }

    func plot(_ plot: MarkPlot) throws { try plot.add(draft) }
}
