public import Foundation

/// How far a picture from the network has come.
public enum AsyncImagePhase: Sendable {
    /// It is not there.
    case empty
    /// It is there.
    case success(Image)
    /// It cannot be had.
    case failure(any Error)

    /// The picture, when it is there.
    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    /// Why it cannot be had.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// A picture from the network, which no report reaches: what stands in its place is shown.
public struct AsyncImage<Content: View>: View {
    private let content: Content?

    /// What stands in its place.
    public var body: some View {
        if let content { content } else { Color.gray.opacity(0.3) }
    }

    /// From there, by how far it has come; that is never further than `.empty`.
    public init(
        url: URL?,
        scale: CGFloat = 1,
        transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) { self.content = content(.empty) }

    /// From there, and what stands in its place.
    public init<I: View, P: View>(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {
        self.content = _ConditionalContent(.second(placeholder()))
    }
}

extension AsyncImage where Content == Image {
    /// From there; a grey area stands in its place.
    public init(url: URL?, scale: CGFloat = 1) { content = nil }
}
