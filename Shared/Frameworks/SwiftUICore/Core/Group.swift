/// Several things as one, without a look of its own.
public struct Group<Content> {
    let content: Content
}

extension Group: View, PrimitiveView where Content: View {
    /// It is what is in it.
    public typealias Body = Never

    /// What the closure has.
    public init(@ViewBuilder content: () -> Content) { self.init(content: content()) }

    package func write(_ page: PageWriter) throws { try page.lower(content) }
}
