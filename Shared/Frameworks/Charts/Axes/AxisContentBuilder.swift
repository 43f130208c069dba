/// Puts what stands along an axis together.
@resultBuilder
public struct AxisContentBuilder {
    /// Content as it is.
    public static func buildExpression<Content: AxisContent>(_ content: Content) -> Content { content }

    /// Nothing.
    @MainActor @preconcurrency
    public static func buildBlock() -> AxisContentTuple<Void> { AxisContentTuple([]) }

    /// One content as it is.
    @MainActor @preconcurrency
    public static func buildBlock<Content: AxisContent>(_ content: Content) -> Content { content }

    /// Several.
    @MainActor @preconcurrency
    public static func buildBlock<each Content: AxisContent>(_ content: repeat each Content)
        -> AxisContentTuple<(repeat each Content)>
    {
        var all: [any AxisContent] = []
        for part in repeat each content { all.append(part) }
        return AxisContentTuple(all)
    }

    /// What stands in an `if` without `else`.
    @MainActor @preconcurrency
    public static func buildIf<Content: AxisContent>(_ content: Content?) -> AxisContentTuple<Content> {
        AxisContentTuple(content.map { [$0] } ?? [])
    }

    /// What stands in the first branch.
    @MainActor @preconcurrency
    public static func buildEither<Content: AxisContent>(first: Content) -> AnyAxisContent {
        AnyAxisContent(first)
    }

    /// What stands in the second branch.
    @MainActor @preconcurrency
    public static func buildEither<Content: AxisContent>(second: Content) -> AnyAxisContent {
        AnyAxisContent(second)
    }

    /// What stands in an `if #available`.
    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: AxisContent>(_ content: Content) -> AnyAxisContent {
        AnyAxisContent(content)
    }
}
