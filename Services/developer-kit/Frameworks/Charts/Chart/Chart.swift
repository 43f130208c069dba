public import Foundation
import STContracts
@_exported public import SwiftUICore

public struct Chart<Content: ChartContent>: View, PrimitiveView {
    public typealias Body = Never

    private let content: Content

    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    public init<Data: RandomAccessCollection, C: ChartContent>(
        _ data: Data,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, Data.Element.ID, C>, Data.Element: Identifiable {
        self.content = ForEach(data, content: content)
    }

    public init<Data: RandomAccessCollection, ID: Hashable, C: ChartContent>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, ID, C> {
        self.content = ForEach(data, id: id, content: content)
    }

    package func write(_ page: PageWriter) throws {
        let settings = page.environment.chart
        let plot = MarkPlot(page)
        try plot.lower(content)
        plot.tellFlaws()
        let lowering = ChartLowering(marks: plot.marks, settings: settings, page: page)
        let control = settings.selection?.control(on: page, marks: plot.marks, label: lowering.keyName ?? "")
        let node = PageNode(kind: .chart, chart: try lowering.chart(control: control))
        // Views around the chart are not part of it, and a chart inside one of them has its own settings.
        let element = try page.changing {
            $0.chart = ChartSettings()
        } _: {
            try page.collectOne {
                guard let style = settings.plotStyle else {
                    try page.add(node)
                    return
                }
                try page.lower(style(ChartPlotContent { page in try page.add(node) }))
            }
        }
        guard let element else { return }
        try lay(settings.background, .behind, element, page)
        try lay(settings.overlay, .over, element, page)
        try page.append(element)
    }

    private func lay(
        _ view: (@MainActor (ChartProxy) -> AnyView)?,
        _ kind: PageKind,
        _ element: PageElement,
        _ page: PageWriter
    ) throws {
        guard let view else { return }
        let other = try page.changing {
            $0.chart = ChartSettings()
        } _: {
            try page.collectOne { try page.lower(view(ChartProxy())) }
        }
        if let other { element.pair(kind, with: other, align: .center) }
    }
}

/// The chart as `chartPlotStyle` receives it, without its background and overlay.
public struct ChartPlotContent: View, PrimitiveView {
    public typealias Body = Never

    let put: @MainActor (PageWriter) throws -> Void

    package func write(_ page: PageWriter) throws { try put(page) }
}

/// A placeholder for the geometry of a chart. Positions and values are `nil`, because a chart is laid out only when it is drawn.
public struct ChartProxy {
    /// An estimate, because the size is only known when the chart is drawn.
    public var plotSize: CGSize { CGSize(width: 300, height: 200) }

    /// An estimate, because the size is only known when the chart is drawn.
    public var plotAreaSize: CGSize { plotSize }

    public func position<P: Plottable>(forX value: P) -> CGFloat? { nil }

    public func position<P: Plottable>(forY value: P) -> CGFloat? { nil }

    public func value<P: Plottable>(atX position: CGFloat, as type: P.Type = P.self) -> P? { nil }

    public func value<P: Plottable>(atY position: CGFloat, as type: P.Type = P.self) -> P? { nil }
}

/// The settings made by the modifiers of a chart.
struct ChartSettings {
    var x = AxisSettings()
    var y = AxisSettings()
    var legend: PageLegend?
    var styles = StyleScale()
    var selection: ChartSelection?
    var overlay: (@MainActor (ChartProxy) -> AnyView)?
    var background: (@MainActor (ChartProxy) -> AnyView)?
    var plotStyle: (@MainActor (ChartPlotContent) -> AnyView)?
}

extension EnvironmentValues {
    private struct ChartKey: EnvironmentKey {
        static var defaultValue: ChartSettings { ChartSettings() }
    }

    var chart: ChartSettings {
        get { self[ChartKey.self] }
        set { self[ChartKey.self] = newValue }
    }
}

extension View {
    /// Changes the chart's settings. The modifier nearest to the chart takes precedence.
    func charted(_ change: @escaping @MainActor (inout ChartSettings) -> Void) -> some View {
        changed { change(&$0.chart) }
    }
}
