/// Puts parts of what stands at a value together.
@resultBuilder
public struct AxisMarkBuilder {
    /// A part as it is.
    public static func buildExpression<Content: AxisMark>(_ content: Content) -> Content { content }

    /// Nothing.
    @MainActor @preconcurrency
    public static func buildBlock() -> EmptyAxisMark { EmptyAxisMark() }

    /// One part as it is.
    @MainActor @preconcurrency
    public static func buildBlock<Content: AxisMark>(_ content: Content) -> Content { content }

    /// Several parts.
    @MainActor @preconcurrency
    public static func buildBlock<each Content: AxisMark>(_ content: repeat each Content)
        -> AxisMarkTuple<(repeat each Content)>
    {
        var all: [any AxisMark] = []
        for part in repeat each content { all.append(part) }
        return AxisMarkTuple(all)
    }

    /// What stands in an `if` without `else`.
    @MainActor @preconcurrency
    public static func buildIf<Content: AxisMark>(_ content: Content?) -> Content? { content }

    /// What stands in the first branch.
    @MainActor @preconcurrency
    public static func buildEither<Content: AxisMark>(first: Content) -> AnyAxisMark { AnyAxisMark(first) }

    /// What stands in the second branch.
    @MainActor @preconcurrency
    public static func buildEither<Content: AxisMark>(second: Content) -> AnyAxisMark { AnyAxisMark(second) }

    /// What stands in an `if #available`.
    @MainActor @preconcurrency
    public static func buildLimitedAvailability<Content: AxisMark>(_ content: Content) -> AnyAxisMark {
        AnyAxisMark(content)
    }
}

extension Optional: AxisMark where Wrapped: AxisMark {
    /// It is what is within, or nothing.
    public typealias Body = Never

    /// Not to be asked for.
    public var body: Never { preconditionFailure("An optional does not consist of other parts.") }
}

extension Optional: PrimitiveAxisMark where Wrapped: AxisMark {
    func put(_ tick: inout AxisTickDraft) {
        if let self { tick.add(self) }
    }
}
