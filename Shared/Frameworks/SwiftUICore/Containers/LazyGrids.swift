public import Foundation
import STContracts

/// How wide a column or how high a row of a grid is.
public struct GridItem: Sendable {
    /// How large it is.
    public enum Size: Sendable {
        /// So large.
        case fixed(CGFloat)
        /// Within that.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many as there is room for.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// How large it is.
    public var size: GridItem.Size
    /// The room to the next one.
    public var spacing: CGFloat?
    /// Where things stand in it.
    public var alignment: Alignment?

    /// One.
    public init(
        _ size: GridItem.Size = .flexible(),
        spacing: CGFloat? = nil,
        alignment: Alignment? = nil
    ) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }

    /// How many there are in that room.
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

/// Things in columns; on a page all of them are there.
public struct LazyVGrid<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let columns: [GridItem]
    private let spacing: CGFloat?
    private let content: Content

    /// In those columns.
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

/// Things in rows; on a page all of them are there.
public struct LazyHGrid<Content: View>: View, PrimitiveView {
    /// It is what stands in it.
    public typealias Body = Never

    private let rows: [GridItem]
    private let spacing: CGFloat?
    private let content: Content

    /// In those rows.
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
            // They go down first, a page's grid goes to the side first.
            for row in 0..<count {
                for index in stride(from: row, to: all.count, by: count) { try page.append(all[index]) }
            }
        }
    }
}
