public import Foundation
import STContracts
public import SwiftUICore

extension View {
    // MARK: - Legend

    public func chartLegend(_ visibility: Visibility) -> some View {
        charted { $0.legend = visibility == .hidden ? .hidden : .automatic }
    }

    public func chartLegend(
        position: AnnotationPosition,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        charted { $0.legend = position.legend }
    }

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

    // MARK: - Selection

    public func chartAngleSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.angle, value) }
    }

    public func chartXSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.x, value) }
    }

    /// Has no effect, because a page cannot select ranges.
    public func chartXSelection<P: Plottable & Comparable>(range: Binding<ClosedRange<P>?>) -> some View {
        self
    }

    public func chartYSelection<P: Plottable>(value: Binding<P?>) -> some View {
        charted { $0.selection = ChartSelection(.y, value) }
    }

    /// Has no effect, because a page cannot select ranges.
    public func chartYSelection<P: Plottable & Comparable>(range: Binding<ClosedRange<P>?>) -> some View {
        self
    }

    // MARK: - Surroundings

    /// Ignores `alignment`. The view is centred.
    public func chartOverlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View {
        charted { $0.overlay = { AnyView(content($0)) } }
    }

    /// Ignores `alignment`. The view is centred.
    public func chartBackground<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View {
        charted { $0.background = { AnyView(content($0)) } }
    }

    public func chartPlotStyle<Content: View>(
        @ViewBuilder content: @escaping (ChartPlotContent) -> Content
    ) -> some View {
        charted { $0.plotStyle = { AnyView(content($0)) } }
    }

    // MARK: - Scrolling (no effect, because a page shows the whole chart)

    public func chartScrollableAxes(_ axes: Axis.Set) -> some View { self }
    public func chartXVisibleDomain<P: Plottable & Numeric>(length: P) -> some View { self }
    public func chartYVisibleDomain<P: Plottable & Numeric>(length: P) -> some View { self }
    public func chartScrollPosition<P: Plottable>(x: Binding<P>) -> some View { self }
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

extension View {
    public func chartXAxis(_ visibility: Visibility) -> some View {
        charted { $0.x.isHidden = visibility == .hidden }
    }

    public func chartXAxis<Content: AxisContent>(@AxisContentBuilder content: () -> Content) -> some View {
        let marks = AxisDraft(content())
        return charted { $0.x.marks = marks }
    }

    public func chartYAxis(_ visibility: Visibility) -> some View {
        charted { $0.y.isHidden = visibility == .hidden }
    }

    public func chartYAxis<Content: AxisContent>(@AxisContentBuilder content: () -> Content) -> some View {
        let marks = AxisDraft(content())
        return charted { $0.y.marks = marks }
    }

    public func chartXAxisLabel(
        _ labelKey: LocalizedStringKey,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.x, AnyView(Text(labelKey)))
    }

    @_disfavoredOverload
    public func chartXAxisLabel<S: StringProtocol>(
        _ label: S,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.x, AnyView(Text(label)))
    }

    /// Shows only the text of the view.
    public func chartXAxisLabel<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        labelled(\.x, AnyView(content()))
    }

    public func chartYAxisLabel(
        _ labelKey: LocalizedStringKey,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.y, AnyView(Text(labelKey)))
    }

    @_disfavoredOverload
    public func chartYAxisLabel<S: StringProtocol>(
        _ label: S,
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View {
        labelled(\.y, AnyView(Text(label)))
    }

    /// Shows only the text of the view.
    public func chartYAxisLabel<C: View>(
        position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        labelled(\.y, AnyView(content()))
    }

    private func labelled(
        _ axis: WritableKeyPath<ChartSettings, AxisSettings>,
        _ view: AnyView
    ) -> some View {
        lowered { page, content in
            let words = try page.collectOne { try page.lower(view) }?.words
            try page.changing {
                $0.chart[keyPath: axis].label = words
            } _: {
                try content()
            }
        }
    }
}

extension View {
    public func chartXScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil) -> some View {
        let scale = AxisScale(domain.plotData)
        return charted { $0.x.scale = scale }
    }

    public func chartXScale<Domain: ScaleDomain>(
        domain: Domain,
        range: PlotDimensionScaleRange,
        type: ScaleType? = nil
    ) -> some View {
        chartXScale(domain: domain, type: type)
    }

    /// Has no effect, because an axis always spans the whole chart.
    public func chartXScale(range: PlotDimensionScaleRange, type: ScaleType? = nil) -> some View { self }

    public func chartYScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil) -> some View {
        let scale = AxisScale(domain.plotData)
        return charted { $0.y.scale = scale }
    }

    public func chartYScale<Domain: ScaleDomain>(
        domain: Domain,
        range: PlotDimensionScaleRange,
        type: ScaleType? = nil
    ) -> some View {
        chartYScale(domain: domain, type: type)
    }

    /// Has no effect, because an axis always spans the whole chart.
    public func chartYScale(range: PlotDimensionScaleRange, type: ScaleType? = nil) -> some View { self }

    public func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View {
        styled(mapping.map { PlotDatum($0.key) }, mapping.map { AnyShapeStyle($0.value) })
    }

    public func chartForegroundStyleScale<Domain: ScaleDomain, S: ShapeStyle>(
        domain: Domain,
        range: [S],
        type: ScaleType? = nil
    ) -> some View {
        styled(domain.plotData, range.map { AnyShapeStyle($0) })
    }

    public func chartForegroundStyleScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil)
        -> some View
    {
        styled(domain.plotData, [])
    }

    public func chartForegroundStyleScale<S: ShapeStyle>(range: [S], type: ScaleType? = nil) -> some View {
        styled([], range.map { AnyShapeStyle($0) })
    }

    public func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue],
        mapping: @escaping (DataValue) -> S
    ) -> some View {
        styled(domain.map { PlotDatum($0) }, domain.map { AnyShapeStyle(mapping($0)) })
    }

    /// Has no effect, because all points are drawn round.
    public func chartSymbolScale<Domain: ScaleDomain>(domain: Domain) -> some View { self }

    private func styled(_ domain: [PlotDatum], _ styles: [AnyShapeStyle]) -> some View {
        lowered { page, content in
            let colors = styles.compactMap { Paint.of($0, page.environment).single }
            let scale = StyleScale(domain: domain, range: colors)
            try page.changing {
                $0.chart.styles = scale
            } _: {
                try content()
            }
        }
    }
}
