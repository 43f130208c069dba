import STContracts

/// A stack of pages. Only the first page is shown.
public struct NavigationStack<Data, Root: View>: View {
    private let root: Root

    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { self.root = root() }

    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
    }

    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection, Data: RandomAccessCollection, Data.Element: Hashable {
        self.root = root()
    }

    public var body: some View { root }
}

/// A view of pages. Only the first page is shown.
public struct NavigationView<Content: View>: View {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public var body: some View { content }
}

public struct NavigationPath: Equatable {
    public private(set) var count = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    public mutating func append<V: Hashable>(_ value: V) { count += 1 }

    public mutating func removeLast(_ k: Int = 1) { count = max(0, count - k) }
}

/// A link to another view. It only shows its label, because a page cannot open another page.
public struct NavigationLink<Label: View, Destination: View>: View {
    private let label: Label

    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.label = label()
    }

    public init(destination: Destination, @ViewBuilder label: () -> Label) { self.label = label() }

    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.label = label()
    }

    public var body: some View { label }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        label = Text(titleKey)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        label = Text(title)
    }

    public init(_ titleKey: LocalizedStringKey, destination: Destination) { label = Text(titleKey) }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) { label = Text(title) }
}

extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) { self.label = label() }

    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
        label = Text(titleKey)
    }
}

extension View {
    public func navigationTitle(_ title: Text) -> some View {
        lowered { page, content in
            page.session.title = page.session.title ?? title.words(in: page.environment)
            try content()
        }
    }

    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }

    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(Text(title)) }

    public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }

    public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }

    public func navigationBarTitle(
        _ titleKey: LocalizedStringKey,
        displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { navigationTitle(Text(titleKey)) }

    @_disfavoredOverload
    public func navigationBarTitle<S: StringProtocol>(_ title: S) -> some View {
        navigationTitle(Text(title))
    }

    // No effect: a page has no navigation bar and does not show other pages.
    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View
    {
        self
    }

    public func navigationBarHidden(_ hidden: Bool) -> some View { self }
    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View { self }
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View { self }
    public func navigationDestination<V: View>(
        isPresented: Binding<Bool>,
        @ViewBuilder destination: () -> V
    ) -> some View { self }
    public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View { self }
}

public struct NavigationBarItem: Sendable {
    public enum TitleDisplayMode: Sendable {
        case automatic, inline, large
    }
}

/// The style of a navigation view. It has no effect, because only the first page is shown.
public protocol NavigationViewStyle: Sendable {}

public struct DefaultNavigationViewStyle: NavigationViewStyle { public init() {} }

extension NavigationViewStyle where Self == DefaultNavigationViewStyle {
    public static var automatic: Self { Self() }
}

public struct StackNavigationViewStyle: NavigationViewStyle { public init() {} }

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    public static var stack: Self { Self() }
}
