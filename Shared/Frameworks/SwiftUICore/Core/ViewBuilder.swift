/// Puts views that stand below each other in a closure together.
@resultBuilder
public struct ViewBuilder {
    /// A view as it is.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    /// Nothing.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// One view as it is.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Several views.
    @MainActor @preconcurrency
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        var all: [any View] = []
        for view in repeat each content { all.append(view) }
        return TupleView((repeat each content), all)
    }

    /// What stands in an `if` without `else`.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    /// What stands in the first branch.
    @MainActor @preconcurrency
    public static func buildEither<TrueContent: View, FalseContent: View>(first: TrueContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(.first(first))
    }

    /// What stands in the second branch.
    @MainActor @preconcurrency
    public static func buildEither<TrueContent: View, FalseContent: View>(second: FalseContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(.second(second))
    }

    /// What stands in an `if #available`.
    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}
