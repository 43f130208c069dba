public import Foundation
import STContracts

public struct Grid<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let spacing: CGFloat?
    private let content: Content

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
            // At least one view between the rows occupies a whole row, so stack everything vertically.
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

public struct GridRow<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let alignment: VerticalAlignment?
    private let content: Content

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
    public func gridCellColumns(_ count: Int) -> some View {
        marked { $0.traits.columns = min(100, max(1, count)) }
    }
    // No effect: the drawing program lays out the cells.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { self }
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }
}

public struct GridItem: Sendable {
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    public var size: GridItem.Size
    public var spacing: CGFloat?
    public var alignment: Alignment?

    public init(
        _ size: GridItem.Size = .flexible(),
        spacing: CGFloat? = nil,
        alignment: Alignment? = nil
    ) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }

    /// Returns the number of columns or rows that fit.
    static func count(_ items: [GridItem], in room: CGFloat) -> Int {
        let all = items.reduce(0) { count, item in
            guard case .adaptive(let minimum, _) = item.size else { return count + 1 }
            let spacing = item.spacing ?? 8
            let part = room / CGFloat(items.count)
            return count + max(1, Int(min(100, (part + spacing) / max(1, minimum + spacing))))
        }
        return min(100, max(1, all))
    }
}

public struct LazyVGrid<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let columns: [GridItem]
    private let spacing: CGFloat?
    private let content: Content

    public init(
        columns: [GridItem],
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.columns = columns
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let count = GridItem.count(columns, in: page.environment.look.room.width)
        try page.changing({ $0.look.room.width /= CGFloat(count) }) {
            try page.add(PageNode(kind: .grid, spacing: spacing.map { Length.of($0) }, columns: count)) {
                try page.lower(content)
            }
        }
    }
}

public struct LazyHGrid<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let rows: [GridItem]
    private let spacing: CGFloat?
    private let content: Content

    public init(
        rows: [GridItem],
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(),
        @ViewBuilder content: () -> Content
    ) {
        self.rows = rows
        self.spacing = spacing
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        let all = try page.collect { try page.lower(content) }
        let count = GridItem.count(rows, in: page.environment.look.room.height)
        let columns = max(1, (all.count + count - 1) / count)
        guard columns <= 100 else {
            try page.add(PageNode(kind: .grid, columns: 100)) { for one in all { try page.append(one) } }
            return
        }
        try page.add(PageNode(kind: .grid, spacing: spacing.map { Length.of($0) }, columns: columns)) {
            // A horizontal grid fills columns first. A page's grid fills rows first.
            for row in 0..<count {
                for index in stride(from: row, to: all.count, by: count) { try page.append(all[index]) }
            }
        }
    }
}
