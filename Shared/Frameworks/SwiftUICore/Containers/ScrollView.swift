import STContracts

/// Things that may need more room than there is; on a page all of them are there.
public struct ScrollView<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let axes: Axis.Set
    private let content: Content

    /// That way.
    public init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {
        self.axes = axes
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let isSideways = axes == .horizontal
        try page.changing({ $0.look.isRow = isSideways }) {
            try page.add(PageNode(kind: .scroll, isHorizontal: isSideways ? true : nil)) {
                if let one = try page.collectOne({ try page.lower(content) }) { try page.append(one) }
            }
        }
    }
}

/// Moves to things in it; a page does not.
public struct ScrollViewReader<Content: View>: View {
    private let content: (ScrollViewProxy) -> Content

    /// What the closure makes.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    /// What the closure makes.
    public var body: some View { content(ScrollViewProxy()) }
}

/// Moves to a thing; on a page it does nothing.
public struct ScrollViewProxy: Sendable {
    /// Does nothing.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}
