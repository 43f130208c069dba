/// A view that is made again only when it is another one; a page always makes it.
public struct EquatableView<Content: Equatable & View>: View {
    /// The view.
    public var content: Content

    /// That view.
    public init(content: Content) { self.content = content }

    /// The view.
    public var body: some View { content }
}

extension View where Self: Equatable {
    /// Made again only when it is another one.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
