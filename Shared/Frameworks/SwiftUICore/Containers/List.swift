import STContracts

/// Rows below each other.
public struct List<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    /// It is its rows.
    public typealias Body = Never

    private let content: Content

    /// Rows of which some can be chosen; on a page none can.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// Rows of which one can be chosen; on a page none can.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    package func write(_ page: PageWriter) throws { try page.rows(content) }
}

extension List where SelectionValue == Never {
    /// Rows.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// A row for each element.
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }

    /// A row for each element.
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> { content = ForEach(data, id: id, content: rowContent) }

    /// A row for each number.
    public init<RowContent: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> RowContent)
    where Content == ForEach<Range<Int>, Int, RowContent> { content = ForEach(data, content: rowContent) }
}

/// Rows that ask for something.
public struct Form<Content: View>: View, PrimitiveView {
    /// It is its rows.
    public typealias Body = Never

    private let content: Content

    /// Rows.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    package func write(_ page: PageWriter) throws { try page.rows(content) }
}

extension PageWriter {
    /// Adds rows below each other.
    func rows<Content: View>(_ content: Content) throws {
        try changing({
            $0.look.isRow = false
            $0.look.isList = true
        }) {
            try add(PageNode(kind: .list)) { try each({ try lower(content) }, dress) }
        }
    }

    /// Gives a row what it said about itself.
    func dress(_ row: PageElement) throws {
        guard row.node.kind != .section else { return }
        let traits = row.traits
        if let insets = traits.rowInsets { row.wrap(.padding) { $0.padding = insets.page } }
        if let ground = traits.rowBackground, !PageLayers.ground(row, ground) {
            row.pair(.behind, with: ground, align: .center)
        }
        if let badge = traits.badge {
            let name = PageElement(row.node, row.children)
            row.node = PageNode(kind: .horizontal, align: .center)
            row.children = [name, PageElement(PageNode(kind: .spacer)), badge]
            row.layer = nil
        }
    }
}
