import STContracts

public struct List<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let content: Content

    /// Ignores `selection`, because people cannot select rows on a page.
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// Ignores `selection`, because people cannot select rows on a page.
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    package func write(_ page: PageWriter) throws { try page.rows(content) }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        content = ForEach(data, content: rowContent)
    }

    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> { content = ForEach(data, id: id, content: rowContent) }

    public init<RowContent: View>(_ data: Range<Int>, @ViewBuilder rowContent: @escaping (Int) -> RowContent)
    where Content == ForEach<Range<Int>, Int, RowContent> { content = ForEach(data, content: rowContent) }
}

public struct Form<Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    package func write(_ page: PageWriter) throws { try page.rows(content) }
}

extension PageWriter {
    /// Adds rows as a vertical stack.
    func rows<Content: View>(_ content: Content) throws {
        try changing({
            $0.look.isRow = false
            $0.look.isList = true
        }) {
            try add(PageNode(kind: .list)) { try each({ try lower(content) }, dress) }
        }
    }

    /// Applies a row's insets, background and badge.
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

public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}

extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        let above = try elements(of: header, font: .footnote, page: page)
        let below = try elements(of: footer, font: .footnote, page: page)
        guard page.environment.look.isList else {
            for element in above { try page.append(element) }
            try page.lower(content)
            for element in below { try page.append(element) }
            return
        }
        let words = above.map(\.words).joined(separator: " ")
        try page.add(
            PageNode(
                kind: .section,
                runs: words.isEmpty ? nil : [PageRun(text: words)],
                heading: words.isEmpty ? nil : 2
            )
        ) { try page.each({ try page.lower(content) }, page.dress) }
        for element in below { try page.append(element) }
    }

    @MainActor private func elements<Part: View>(of view: Part, font: Font, page: PageWriter) throws
        -> [PageElement]
    {
        try page.within(.part("\(Part.self)")) {
            try page.changing({
                guard $0.look.isList else { return }
                $0.look.font = $0.look.font ?? font
                $0.look.foreground = $0.look.foreground ?? AnyShapeStyle(Color.secondary)
            }) { try page.collect { try page.lower(view) } }
        }
    }
}

extension Section where Parent: View, Content: View, Footer: View {
    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) { self.init(header: header(), content: content(), footer: footer()) }

    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer)
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }

    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }

    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer)
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}

/// The style of a list. It has no effect, because the drawing program selects the appearance.
public protocol ListStyle: Sendable {}

public struct DefaultListStyle: ListStyle { public init() {} }
extension ListStyle where Self == DefaultListStyle { public static var automatic: Self { Self() } }

public struct PlainListStyle: ListStyle { public init() {} }
extension ListStyle where Self == PlainListStyle { public static var plain: Self { Self() } }

public struct GroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == GroupedListStyle { public static var grouped: Self { Self() } }

public struct InsetListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetListStyle { public static var inset: Self { Self() } }

public struct InsetGroupedListStyle: ListStyle { public init() {} }
extension ListStyle where Self == InsetGroupedListStyle { public static var insetGrouped: Self { Self() } }

public struct SidebarListStyle: ListStyle { public init() {} }
extension ListStyle where Self == SidebarListStyle { public static var sidebar: Self { Self() } }
