@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View

    typealias Content = _ViewModifier_Content<Self>

    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

extension ViewModifier where Body == Never {
    public func body(content: Self.Content) -> Never {
        preconditionFailure("\(Self.self) does not consist of views.")
    }
}

extension ViewModifier {
    public func concat<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

/// The content of a modifier.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, PrimitiveView {
    public typealias Body = Never

    let content: @MainActor (PageWriter) throws -> Void

    package func write(_ page: PageWriter) throws {
        try page.within(.content) { try content(page) }
    }
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        try page.modify(modifier) { [content] page in
            try page.within(.content) { try page.lower(content) }
        }
    }
}

extension ModifiedContent: ViewModifier where Content: ViewModifier, Modifier: ViewModifier {
    public func body(content: _ViewModifier_Content<Self>) -> some View {
        content.modifier(self.content).modifier(modifier)
    }
}

extension ModifiedContent: Equatable where Content: Equatable, Modifier: Equatable {}
extension ModifiedContent: Sendable where Content: Sendable, Modifier: Sendable {}

public struct EmptyModifier: ViewModifier, PrimitiveModifier {
    public typealias Body = Never

    nonisolated public static let identity = EmptyModifier()

    nonisolated public init() {}

    package func write(_ page: PageWriter, _ content: PageContent) throws { try content() }
}
