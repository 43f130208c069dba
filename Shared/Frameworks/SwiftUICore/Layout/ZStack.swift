import STContracts

/// Things that lie on each other, the first at the bottom.
public struct ZStack<Content: View>: View, PrimitiveView {
    /// It is what lies in it.
    public typealias Body = Never

    private let alignment: Alignment
    private let content: Content

    /// Where the smaller ones lie.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        try page.changing({ $0.look.isRow = false }) {
            let layers = try page.collect { try page.lower(content) }
            // A sort that keeps the order of those that are alike.
            let order = layers.indices.sorted {
                (layers[$0].traits.zIndex, $0) < (layers[$1].traits.zIndex, $1)
            }
            try page.add(PageNode(kind: .layered, align: alignment.page)) {
                for index in order { try page.append(layers[index]) }
            }
        }
    }
}
