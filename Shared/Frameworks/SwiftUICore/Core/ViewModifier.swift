/// Something that is done to a view.
@MainActor @preconcurrency
public protocol ViewModifier {
    /// What comes of it.
    associatedtype Body: View

    /// What it is done to.
    typealias Content = _ViewModifier_Content<Self>

    /// What comes of it.
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

extension ViewModifier where Body == Never {
    /// Not to be asked for: the page knows what this does.
    public func body(content: Self.Content) -> Never {
        preconditionFailure("\(Self.self) does not consist of views.")
    }
}

extension ViewModifier {
    /// This, and then that.
    public func concat<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
