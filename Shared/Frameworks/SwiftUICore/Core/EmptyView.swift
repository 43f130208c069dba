/// Nothing.
public struct EmptyView: View, PrimitiveView {
    /// It consists of nothing.
    public typealias Body = Never

    /// Nothing.
    nonisolated public init() {}

    package func write(_ page: PageWriter) {}
}
