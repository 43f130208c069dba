public import Foundation
import STContracts

/// Things in rows whose columns are as wide in each row.
public struct Grid<Content: View>: View, PrimitiveView {
    /// It is its rows.
    public typealias Body = Never

    private let spacing: CGFloat?
    private let content: Content

    /// With so much room between things.
    public init(
        alignment: Alignment = .center,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        spacing = verticalSpacing ?? horizontalSpacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let rows = try page.collect { try page.lower(content) }
        let columns =
            rows.filter(\.traits.isGridRow).map { row in
                row.children.reduce(0) { $0 + max(1, $1.traits.columns ?? 1) }
            }.max() ?? 0
        guard (1...100).contains(columns), rows.allSatisfy(\.traits.isGridRow) else {
            // Something that takes a whole row stands between them.
            try page.add(PageNode(kind: .vertical, align: .center, spacing: spacing.map { Length.of($0) })) {
                for row in rows { try page.append(row) }
            }
            return
        }
        try page.add(PageNode(kind: .grid, spacing: spacing.map { Length.of($0) }, columns: columns)) {
            for row in rows {
                var left = columns
                for cell in row.children {
                    try page.append(cell)
                    left -= 1
                    for _ in 1..<max(1, min(left + 1, cell.traits.columns ?? 1)) {
                        try page.add(PageNode(kind: .layered))
                        left -= 1
                    }
                }
                for _ in 0..<max(0, left) { try page.add(PageNode(kind: .layered)) }
            }
        }
    }
}

/// A row of a grid.
public struct GridRow<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let alignment: VerticalAlignment?
    private let content: Content

    /// A row.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let row = try page.add(PageNode(kind: .horizontal, align: (alignment ?? .center).page)) {
            try page.lower(content)
        }
        row.traits.isGridRow = true
    }
}

extension View {
    /// Takes several columns of a grid.
    public func gridCellColumns(_ count: Int) -> some View {
        marked { $0.traits.columns = min(100, max(1, count)) }
    }
    /// Takes no more room than it needs, which is left to who draws.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { self }
    /// Where it stands in its place, which is left to who draws.
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }
}
