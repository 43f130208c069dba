import STContracts

/// A line between things.
public struct Divider: View, PrimitiveView {
    /// It is nothing else.
    public typealias Body = Never

    /// A line.
    nonisolated public init() {}

    package func write(_ page: PageWriter) throws {
        try page.add(PageNode(kind: .divider, isHorizontal: page.environment.look.isRow ? false : nil))
    }
}
