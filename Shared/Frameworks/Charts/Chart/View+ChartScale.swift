import STContracts
public import SwiftUICore

extension View {
    /// What the x axis goes over.
    public func chartXScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil) -> some View {
        let scale = AxisScale(domain.plotData)
        return charted { $0.x.scale = scale }
    }

    /// What the x axis goes over, and where; here it always is the whole width.
    public func chartXScale<Domain: ScaleDomain>(
        domain: Domain,
        range: PlotDimensionScaleRange,
        type: ScaleType? = nil
    ) -> some View {
        chartXScale(domain: domain, type: type)
    }

    /// Where the x axis is; here it always is the whole width.
    public func chartXScale(range: PlotDimensionScaleRange, type: ScaleType? = nil) -> some View { self }

    /// What the y axis goes over.
    public func chartYScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil) -> some View {
        let scale = AxisScale(domain.plotData)
        return charted { $0.y.scale = scale }
    }

    /// What the y axis goes over, and where; here it always is the whole height.
    public func chartYScale<Domain: ScaleDomain>(
        domain: Domain,
        range: PlotDimensionScaleRange,
        type: ScaleType? = nil
    ) -> some View {
        chartYScale(domain: domain, type: type)
    }

    /// Where the y axis is; here it always is the whole height.
    public func chartYScale(range: PlotDimensionScaleRange, type: ScaleType? = nil) -> some View { self }

    /// Which colour stands for which value.
    public func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View {
        styled(mapping.map { PlotDatum($0.key) }, mapping.map { AnyShapeStyle($0.value) })
    }

    /// Which colours stand for which values.
    public func chartForegroundStyleScale<Domain: ScaleDomain, S: ShapeStyle>(
        domain: Domain,
        range: [S],
        type: ScaleType? = nil
    ) -> some View {
        styled(domain.plotData, range.map { AnyShapeStyle($0) })
    }

    /// The order of the values that colours stand for.
    public func chartForegroundStyleScale<Domain: ScaleDomain>(domain: Domain, type: ScaleType? = nil)
        -> some View
    {
        styled(domain.plotData, [])
    }

    /// The colours that stand for values.
    public func chartForegroundStyleScale<S: ShapeStyle>(range: [S], type: ScaleType? = nil) -> some View {
        styled([], range.map { AnyShapeStyle($0) })
    }

    /// The colour that stands for each value.
    public func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue],
        mapping: @escaping (DataValue) -> S
    ) -> some View {
        styled(domain.map { PlotDatum($0) }, domain.map { AnyShapeStyle(mapping($0)) })
    }

    /// Which outlines stand for which values; here all points are round.
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
