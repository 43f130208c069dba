import STContracts

/// A view with tabs. The tabs become a control of the page.
///
/// With `selection`, the tab with that `tag` is shown. Another control with the same binding also switches the tab.
public struct TabView<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    public typealias Body = Never

    private let selection: Binding<SelectionValue>?
    private let content: Content

    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        if let selection {
            try write(page, binding: selection) { ChoiceOption($0, words: Self.words($0)) }
        } else {
            let box = StateBox { 0 }
            box.keep(at: page.place, 1)
            var count = 0
            try write(page, binding: box.binding) { tab in
                defer { count += 1 }
                tab.traits.tag = AnyHashable(count)
                return ChoiceOption(tab, words: Self.words(tab))
            }
        }
    }

    private func write<Value: Hashable>(
        _ page: PageWriter,
        binding: Binding<Value>,
        option: (PageElement) -> ChoiceOption<Value>?
    ) throws {
        page.reserve(binding)
        let tabs = try tabs(page)
        guard !tabs.isEmpty else { return }
        try write(page, tabs: tabs, options: tabs.map(option), binding: binding)
    }

    /// Returns the tabs. Adjacent views with the same tag form one tab.
    private func tabs(_ page: PageWriter) throws -> [PageElement] {
        var tabs: [[PageElement]] = []
        for element in try page.collect({ try page.lower(content) }) {
            if let tag = element.traits.tag, tabs.last?.first?.traits.tag == tag {
                tabs[tabs.count - 1].append(element)
            } else {
                tabs.append([element])
            }
        }
        return try tabs.compactMap { parts in
            let one = try page.collectOne { for part in parts { try page.append(part) } }
            if parts.count > 1, let first = parts.first { one?.traits = first.traits }
            return one
        }
    }

    private func write<Value: Hashable>(
        _ page: PageWriter,
        tabs: [PageElement],
        options: [ChoiceOption<Value>?],
        binding: Binding<Value>
    ) throws {
        let hasLabels = tabs.contains { $0.traits.tabLabel != nil }
        var named = options.compactMap { $0 }
        if !hasLabels { named = named.enumerated().map { ChoiceOption($0.element, "\($0.offset + 1)") } }
        if hasLabels {
            try page.choice(binding, label: "", options: named, weight: 2)
        } else if !named.isEmpty {
            // Without tab labels no control is shown, but a picker with the same binding can switch the tabs.
            _ = page.control(of: binding, PageWriter.request(binding, label: "", options: named, weight: 1))
        }
        let now = binding.wrappedValue
        let index = options.firstIndex { $0?.value == now } ?? options.firstIndex { $0 == nil } ?? 0
        try page.append(tabs[index])
    }

    private static func words(_ tab: PageElement) -> String { tab.traits.tabLabel?.words ?? "" }
}

extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) {
        selection = nil
        self.content = content()
    }
}

extension ChoiceOption {
    init(_ other: ChoiceOption, _ words: String) {
        value = other.value
        self.words = words
    }
}

extension View {
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        let label = label()
        return lowered { page, content in
            let words = try page.within(.part("tab")) { try page.collectOne { try page.lower(label) } }
            try page.each(content) { $0.traits.tabLabel = words }
        }
    }

    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { self }
}

/// The style of a tab view. It has no effect, because the drawing program selects the appearance.
public protocol TabViewStyle: Sendable {}

public struct DefaultTabViewStyle: TabViewStyle { public init() {} }
extension TabViewStyle where Self == DefaultTabViewStyle { public static var automatic: Self { Self() } }

public struct PageTabViewStyle: TabViewStyle {
    public struct IndexDisplayMode: Sendable {
        public static let automatic = IndexDisplayMode()
        public static let always = IndexDisplayMode()
        public static let never = IndexDisplayMode()
    }

    public init(indexDisplayMode: IndexDisplayMode = .automatic) {}
}

extension TabViewStyle where Self == PageTabViewStyle { public static var page: Self { Self() } }

extension TabViewStyle where Self == PageTabViewStyle {
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}
