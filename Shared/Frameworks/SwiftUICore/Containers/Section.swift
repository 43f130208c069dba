import STContracts

/// Some of the rows of a list, with words above and below them.
public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}

extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
    /// It is its rows.
    public typealias Body = Never

    package func write(_ page: PageWriter) throws {
        let above = try part(header, .footnote, page)
        let below = try part(footer, .footnote, page)
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

    @MainActor private func part<Part: View>(_ view: Part, _ font: Font, _ page: PageWriter) throws
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
    /// With words above and below.
    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) { self.init(header: header(), content: content(), footer: footer()) }

    /// With words above and below.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer)
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    /// With words above.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }

    /// With words above.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    /// With words below.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }

    /// With words below.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer)
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// Without words.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    /// With words above.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }

    /// With words above.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}
