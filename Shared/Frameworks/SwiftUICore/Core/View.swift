/// A part of what is seen.
///
/// A view says what it consists of. What is at the end of that, such as a text, is known to the page that is made.
@MainActor @preconcurrency
public protocol View {
    /// What it consists of.
    associatedtype Body: View

    /// What it consists of.
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension View where Body == Never {
    /// Not to be asked for: this view does not consist of others.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other views.") }
}

extension View {
    /// The view with something done to it.
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
