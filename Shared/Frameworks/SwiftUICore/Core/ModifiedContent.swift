/// A view with something done to it.
public struct ModifiedContent<Content, Modifier> {
    /// The view.
    public var content: Content

    /// What is done to it.
    public var modifier: Modifier

    /// A view with something done to it.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
    /// It is the view as it was made.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        try page.modify(modifier) { [content] page in
            try page.within(.content) { try page.lower(content) }
        }
    }
}

extension ModifiedContent: ViewModifier where Content: ViewModifier, Modifier: ViewModifier {
    /// The first, then the second.
    public func body(content: _ViewModifier_Content<Self>) -> some View {
        content.modifier(self.content).modifier(modifier)
    }
}

extension ModifiedContent: Equatable where Content: Equatable, Modifier: Equatable {}
extension ModifiedContent: Sendable where Content: Sendable, Modifier: Sendable {}
