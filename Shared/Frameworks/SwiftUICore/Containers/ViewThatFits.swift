/// The first of several views that fits; on a page it is the first.
public struct ViewThatFits<Content: View>: View, PrimitiveView {
    /// It is the first.
    public typealias Body = Never

    private let content: Content

    /// One of those.
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        if let first = try page.collect({ try page.lower(content) }).first { try page.append(first) }
    }
}
