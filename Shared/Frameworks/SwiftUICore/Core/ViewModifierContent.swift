/// What a modifier is done to.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
    /// It is that view.
    public typealias Body = Never

    let content: @MainActor (PageWriter) throws -> Void

    package func write(_ page: PageWriter) throws {
        try page.within(.content) { try content(page) }
    }
}
