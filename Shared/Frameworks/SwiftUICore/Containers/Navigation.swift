import STContracts

/// Pages of which one leads to another; on a page the first is there.
public struct NavigationStack<Data, Root: View>: View {
    private let root: Root

    /// With that first page.
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { self.root = root() }

    /// With that first page.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
    }

    /// With that first page.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection, Data: RandomAccessCollection, Data.Element: Hashable {
        self.root = root()
    }

    /// The first page.
    public var body: some View { root }
}

/// Pages of which one leads to another; on a page the first is there.
public struct NavigationView<Content: View>: View {
    private let content: Content

    /// With that first page.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    /// The first page.
    public var body: some View { content }
}

/// Which pages somebody went to.
public struct NavigationPath: Equatable {
    /// How many.
    public private(set) var count = 0

    /// None.
    public init() {}

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// One more.
    public mutating func append<V: Hashable>(_ value: V) { count += 1 }

    /// Some fewer.
    public mutating func removeLast(_ k: Int = 1) { count = max(0, count - k) }
}

/// Leads to another page; here it is only what stands on it.
public struct NavigationLink<Label: View, Destination: View>: View {
    private let label: Label

    /// To that page.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.label = label()
    }

    /// To that page.
    public init(destination: Destination, @ViewBuilder label: () -> Label) { self.label = label() }

    /// To that page, while it is set.
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.label = label()
    }

    /// What stands on it.
    public var body: some View { label }
}

extension NavigationLink where Label == Text {
    /// To that page.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        label = Text(titleKey)
    }

    /// To that page.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        label = Text(title)
    }

    /// To that page.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) { label = Text(titleKey) }

    /// To that page.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) { label = Text(title) }
}

extension NavigationLink where Destination == Never {
    /// To the page for that value.
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) { self.label = label() }

    /// To the page for that value.
    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
        label = Text(titleKey)
    }
}

extension View {
    /// What the page is called.
    public func navigationTitle(_ title: Text) -> some View {
        lowered { page, content in
            page.session.title = page.session.title ?? title.words(in: page.environment)
            try content()
        }
    }

    /// What the page is called.
    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }

    /// What the page is called.
    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(Text(title)) }

    /// What the page is called.
    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }

    /// What the page is called.
    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }

    /// What the page is called.
    public func navigationBarTitle(
        _ titleKey: LocalizedStringKey,
        displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { navigationTitle(Text(titleKey)) }

    /// What the page is called.
    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View {
        navigationTitle(Text(title))
    }

    /// How large the title is, which is left to who draws.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View
    {
        self
    }

    /// Whether there is a bar; a page has none.
    public func navigationBarHidden(_ hidden: Bool) -> some View { self }
    /// Whether one can go back; on a page nobody can.
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View { self }
    /// The page for a value, which is not shown.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    /// A page that is shown while something is set; here it is not.
    public func navigationDestination<V: View>(
        isPresented: Binding<Bool>,
        @ViewBuilder destination: () -> V
    ) -> some View { self }
    /// How pages stand beside each other; here there is one.
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View { self }
}

/// The bar at the top of a page.
public struct NavigationBarItem: Sendable {
    /// How large the title is.
    public enum TitleDisplayMode: Sendable {
        /// As on the page before.
        case automatic
        /// Small.
        case inline
        /// Large.
        case large
    }
}
