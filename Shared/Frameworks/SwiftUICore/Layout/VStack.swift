public import Foundation
import STContracts

/// Things below each other.
public struct VStack<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let alignment: HorizontalAlignment
    private let spacing: CGFloat?
    private let content: Content

    /// With so much room between them; nil is as it suits.
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.stack(.vertical, alignment.page, spacing, content)
    }
}
