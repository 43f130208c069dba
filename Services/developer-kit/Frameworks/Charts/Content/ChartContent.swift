public import SwiftUICore

@MainActor @preconcurrency
public protocol ChartContent {
    associatedtype Body: ChartContent

    @ChartContentBuilder var body: Body { get }
}

extension ChartContent where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other marks.") }
}

extension Never: ChartContent {
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}

/// Content that adds marks to a chart by itself.
@MainActor
protocol PrimitiveChartContent {
    func plot(_ plot: MarkPlot) throws
}

@resultBuilder
public struct ChartContentBuilder {
    public static func buildExpression<Content: ChartContent>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock() -> EmptyChartContent { EmptyChartContent() }

    @MainActor @preconcurrency
    public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }

    @MainActor @preconcurrency
    public static func buildBlock<each Content: ChartContent>(_ content: repeat each Content)
        -> BuilderTuple<(repeat each Content)>
    {
        var all: [any ChartContent] = []
        for part in repeat each content { all.append(part) }
        return BuilderTuple(all)
    }

    @MainActor @preconcurrency
    public static func buildIf<Content: ChartContent>(_ content: Content?) -> Content? { content }

    @MainActor @preconcurrency
    public static func buildEither<First: ChartContent, Second: ChartContent>(first: First)
        -> BuilderConditional<First, Second>
    {
        BuilderConditional(first: first, second: nil)
    }

    @MainActor @preconcurrency
    public static func buildEither<First: ChartContent, Second: ChartContent>(second: Second)
        -> BuilderConditional<First, Second>
    {
        BuilderConditional(first: nil, second: second)
    }

    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: ChartContent>(_ content: Content) -> AnyChartContent
    {
        AnyChartContent(content)
    }
}

extension Optional: ChartContent where Wrapped: ChartContent {
    public typealias Body = Never

    public var body: Never { preconditionFailure("An optional does not consist of other marks.") }
}

extension Optional: PrimitiveChartContent where Wrapped: ChartContent {
    func plot(_ plot: MarkPlot) throws {
        if let self { try plot.lower(self) }
    }
}

public struct BuilderConditional<First: ChartContent, Second: ChartContent>: ChartContent,
    PrimitiveChartContent
{
    public typealias Body = Never

    private let first: First?
    private let second: Second?

    init(first: First?, second: Second?) {
        self.first = first
        self.second = second
    }

    func plot(_ plot: MarkPlot) throws {
        if let first { try plot.lower(first) }
        if let second { try plot.lower(second) }
    }
}

public struct BuilderTuple<T>: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private let all: [any ChartContent]

    init(_ all: [any ChartContent]) { self.all = all }

    func plot(_ plot: MarkPlot) throws {
        for part in all { try plot.lower(part) }
    }
}

public struct EmptyChartContent: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    init() {}

    func plot(_ plot: MarkPlot) {}
}

public struct AnyChartContent: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private let content: any ChartContent

    public init(_ content: some ChartContent) { self.content = content }

    public init(erasing content: some ChartContent) { self.content = content }

    func plot(_ plot: MarkPlot) throws { try plot.lower(content) }
}

public struct Plot<Content: ChartContent>: ChartContent, PrimitiveChartContent {
    public typealias Body = Never

    private let content: Content

    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    func plot(_ plot: MarkPlot) throws { try plot.lower(content) }
}

extension ForEach: ChartContent where Content: ChartContent {
    public typealias Body = Never

    public var body: Never { preconditionFailure("A ForEach does not consist of other marks.") }
}

extension ForEach: PrimitiveChartContent where Content: ChartContent {
    func plot(_ plot: MarkPlot) throws {
        for element in data { try plot.lower(content(element)) }
    }
}

extension ForEach where Content: ChartContent {
    public init(_ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {
        self.init(data: data, id: { $0.id }, content: content)
    }

    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: { $0[keyPath: id] }, content: content)
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: ChartContent {
    public init(_ data: Range<Int>, @ChartContentBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, id: { $0 }, content: content)
    }
}
