public import Foundation
import STContracts

/// Things beside each other; on a page all of them are there.
public struct LazyHStack<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let alignment: VerticalAlignment
    private let spacing: CGFloat?
    private let content: Content

    /// With so much room between them; nil is as it suits.
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.horizontal, alignment.page, spacing, content)
    }
}
