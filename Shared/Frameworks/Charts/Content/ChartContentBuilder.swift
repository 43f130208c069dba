/// Puts marks that stand below each other in a closure together.
@resultBuilder
public struct ChartContentBuilder {
    /// A mark as it is.
    public static func buildExpression<Content: ChartContent>(_ content: Content) -> Content { content }

    /// Nothing.
    @MainActor @preconcurrency
    public static func buildBlock() -> EmptyChartContent { EmptyChartContent() }

    /// One mark as it is.
    @MainActor @preconcurrency
    public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }

    /// Several marks.
    @MainActor @preconcurrency
    public static func buildBlock<each Content: ChartContent>(_ content: repeat each Content)
        -> BuilderTuple<(repeat each Content)>
    {
        var all: [any ChartContent] = []
        for part in repeat each content { all.append(part) }
        return BuilderTuple(all)
    }

    /// What stands in an `if` without `else`.
    @MainActor @preconcurrency
    public static func buildIf<Content: ChartContent>(_ content: Content?) -> Content? { content }

    /// What stands in the first branch.
    @MainActor @preconcurrency
    public static func buildEither<First: ChartContent, Second: ChartContent>(first: First)
        -> BuilderConditional<First, Second>
    {
        BuilderConditional(first: first, second: nil)
    }

    /// What stands in the second branch.
    @MainActor @preconcurrency
    public static func buildEither<First: ChartContent, Second: ChartContent>(second: Second)
        -> BuilderConditional<First, Second>
    {
        BuilderConditional(first: nil, second: second)
    }

    /// What stands in an `if #available`.
    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: ChartContent>(_ content: Content) -> AnyChartContent
    {
        AnyChartContent(content)
    }
}

extension Optional: ChartContent where Wrapped: ChartContent {
    /// It is what is within, or nothing.
    public typealias Body = Never

    /// Not to be asked for.
    public var body: Never { preconditionFailure("An optional does not consist of other marks.") }
}

extension Optional: PrimitiveChartContent where Wrapped: ChartContent {
    func plot(_ plot: MarkPlot) throws {
        if let self { try plot.lower(self) }
    }
}
