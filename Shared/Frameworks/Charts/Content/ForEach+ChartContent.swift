public import SwiftUICore

extension ForEach: ChartContent where Content: ChartContent {
    /// It is the marks.
    public typealias Body = Never

    /// Not to be asked for.
    public var body: Never { preconditionFailure("A ForEach does not consist of other marks.") }
}

extension ForEach: PrimitiveChartContent where Content: ChartContent {
    func plot(_ plot: MarkPlot) throws {
        for element in data { try plot.lower(content(element)) }
    }
}

extension ForEach where Content: ChartContent {
    /// For elements that know who they are.
    public init(_ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, id: { $0.id }, content: content)
    }

    /// For elements that are told apart by one of their properties.
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: { $0[keyPath: id] }, content: content)
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: ChartContent {
    /// For numbers.
    public init(_ data: Range<Int>, @ChartContentBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, id: { $0 }, content: content)
    }
}
