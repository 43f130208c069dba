public import Foundation
import STContracts
public import SwiftUICore

extension View {
    // MARK: - What explains the colours

    /// Whether there is a legend.
    public func chartLegend(_ visibility: Visibility) -> some View {
        charted { $0.legend = visibility == .hidden ? .hidden : .automatic }
    }

    /// Where the legend stands.
    public func chartLegend(
        position: AnnotationPosition,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        charted { $0.legend = position.legend }
    }

    /// A legend of one's own below the chart.
    public func chartLegend<Content: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) -> some View {
        let isBefore = position.legend == .top
        let legend = AnyView(content())
        return VStack(alignment: .leading, spacing: spacing ?? 8) {
            if isBefore { legend }
            charted { $0.legend = .hidden }
            if !isBefore { legend }
        }
    }

    // MARK: - What somebody chooses

    /// The binding gets the value of a slice that somebody chooses.
    public func chartAngleSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.angle, value) }
    }

    /// The binding gets the x value of a mark that somebody chooses.
    public func chartXSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.x, value) }
    }

    /// The binding gets a stretch that somebody chooses; on a page nobody can.
    public func chartXSelection<P: Plottable & Comparable>(range: Binding<ClosedRange<P>?>) -> some View {
        self
    }

    /// The binding gets the y value of a mark that somebody chooses.
    public func chartYSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.y, value) }
    }

    /// The binding gets a stretch that somebody chooses; on a page nobody can.
    public func chartYSelection<P: Plottable & Comparable>(range: Binding<ClosedRange<P>?>) -> some View {
        self
    }

    // MARK: - What lies around

    /// A view in front of the chart, in its middle.
    public func chartOverlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View {
        charted { $0.overlay = { AnyView(content($0)) } }
    }

    /// A view behind the chart, in its middle.
    public func chartBackground<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View {
        charted { $0.background = { AnyView(content($0)) } }
    }

    /// The chart with something done to it.
    public func chartPlotStyle<Content: View>(
        @ViewBuilder content: @escaping (ChartPlotContent) -> Content
    ) -> some View {
        charted { $0.plotStyle = { AnyView(content($0)) } }
    }

    // MARK: - What a page shows in full

    /// Along which axes somebody can scroll; a page shows all of it.
    public func chartScrollableAxes(_ axes: Axis.Set) -> some View { self }

    /// How much of the x axis is seen at once; a page shows all of it.
    public func chartXVisibleDomain<P: Plottable & Numeric>(length: P) -> some View { self }

    /// How much of the y axis is seen at once; a page shows all of it.
    public func chartYVisibleDomain<P: Plottable & Numeric>(length: P) -> some View { self }

    /// Where somebody has scrolled to; a page shows all of it.
    public func chartScrollPosition<P: Plottable>(x: Binding<P>) -> some View { self }

    /// Where somebody has scrolled to; a page shows all of it.
    public func chartScrollPosition<P: Plottable>(initialX x: P) -> some View { self }
}

extension AnnotationPosition {
    fileprivate var legend: PageLegend {
        switch self {
        case .top, .topLeading, .topTrailing: .top
        case .bottom, .bottomLeading, .bottomTrailing: .bottom
        case .leading: .leading
        case .trailing: .trailing
        default: .automatic
        }
    }
}
