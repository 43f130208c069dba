import STContracts
public import SwiftUICore

/// A chart.
public struct Chart<Content: ChartContent>: View, PrimitiveView {
    /// It does not consist of other views.
    public typealias Body = Never

    private let content: Content

    /// A chart of marks.
    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    /// A chart of data: marks for each element.
    public init<Data: RandomAccessCollection, C: ChartContent>(
        _ data: Data,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, Data.Element.ID, C>, Data.Element: Identifiable {
        self.content = ForEach(data, content: content)
    }

    /// A chart of data, told apart by one of their properties: marks for each element.
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
        let control = settings.selection?.control(page, plot.marks, lowering.keyName ?? "")
        let node = PageNode(kind: .chart, chart: try lowering.chart(control: control))
        // What lies around is not part of a chart, and a chart within it would be another one.
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
