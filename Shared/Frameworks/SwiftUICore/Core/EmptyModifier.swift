/// Does nothing.
public struct EmptyModifier: ViewModifier, PrimitiveModifier {
    /// It consists of nothing.
    public typealias Body = Never

    /// What does nothing, ready to be used.
    nonisolated public static let identity = EmptyModifier()

    /// One that does nothing.
    nonisolated public init() {}

    package func write(_ page: PageWriter, _ content: PageContent) throws { try content() }
}
