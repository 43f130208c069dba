public import Foundation
import STContracts
public import SwiftUICore

extension ChartContent {
    /// In a colour that stands for the value.
    public func foregroundStyle<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        styled(\.style, PlotValue(value))
    }

    /// In that colour or gradient.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent {
        marked { mark, page in
            if mark.paint == nil { mark.paint = Paint.of(style, page.environment) }
        }
    }

    /// As opaque as said, from 0 to 1, of what it was.
    public func opacity(_ opacity: Double) -> some ChartContent {
        marked { mark, _ in mark.opacity = (mark.opacity ?? 1) * opacity }
    }

    /// With round corners.
    public func cornerRadius(_ radius: CGFloat, style: RoundedCornerStyle = .continuous) -> some ChartContent
    {
        styled(\.corner, radius)
    }

    /// Beside other marks of the same place, rather than on them.
    public func position<P: Plottable>(
        by value: PlottableValue<P>,
        axis: Axis? = nil,
        span: MarkDimension = .automatic
    ) -> some ChartContent {
        styled(\.position, PlotValue(value))
    }

    /// Lines and rules as thick as that.
    public func lineStyle(_ style: StrokeStyle) -> some ChartContent { styled(\.lineWidth, style.lineWidth) }

    /// A line for each value.
    public func lineStyle<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent {
        styled(\.series, PlotValue(value))
    }

    /// How a line goes from point to point; here it goes straight.
    public func interpolationMethod(_ method: InterpolationMethod) -> some ChartContent { self }

    /// Points of that outline; here all are round.
    public func symbol<S: ChartSymbolShape>(_ symbol: S) -> some ChartContent { self }

    /// Points that look like the view; here all are round.
    public func symbol<V: View>(@ViewBuilder symbol: () -> V) -> some ChartContent { self }

    /// Points whose outline stands for the value; here a series of their own.
    public func symbol<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent {
        styled(\.series, PlotValue(value))
    }

    /// Points as large as that many square points; here all are of one size.
    public func symbolSize(_ area: CGFloat) -> some ChartContent { self }

    /// Points as large as that; here all are of one size.
    public func symbolSize(_ size: CGSize) -> some ChartContent { self }

    /// Points whose size stands for the value; here all are of one size.
    public func symbolSize<S: Plottable>(by value: PlottableValue<S>) -> some ChartContent { self }

    /// In front of others or behind them; here marks lie as they are written.
    public func zIndex(_ value: Double) -> some ChartContent { self }

    /// Moved by so much; here marks stand at their values.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some ChartContent { self }

    /// Moved by so much; here marks stand at their values.
    public func offset(_ offset: CGSize) -> some ChartContent { self }

    /// Within its outline; here it never is beyond it.
    public func clipShape<S: Shape>(_ shape: S) -> some ChartContent { self }

    /// Aligned with others; here marks always are.
    public func alignsMarkStylesWithPlotArea(_ aligns: Bool = true) -> some ChartContent { self }
}
