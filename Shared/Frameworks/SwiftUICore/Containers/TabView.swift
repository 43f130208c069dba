import STContracts

/// Pages of which one is seen at a time; on a page they can be switched.
///
/// With `selection`, the tab with that `tag` is seen, which another control of the same value switches, too.
public struct TabView<SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    /// It is one of its tabs.
    public typealias Body = Never

    private let selection: Binding<SelectionValue>?
    private let content: Content

    /// With that tab.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        self.selection = selection
        self.content = content()
    }

    package func write(_ page: PageWriter) throws {
        if let selection {
            try write(page, selection) { ChoiceOption($0, words: Self.words($0)) }
        } else {
            let box = StateBox { 0 }
            box.keep(at: page.place, 1)
            var count = 0
            try write(page, box.binding) { tab in
                defer { count += 1 }
                tab.traits.tag = AnyHashable(count)
                return ChoiceOption(tab, words: Self.words(tab))
            }
        }
    }

    private func write<Value: Hashable>(
        _ page: PageWriter,
        _ binding: Binding<Value>,
        _ option: (PageElement) -> ChoiceOption<Value>?
    ) throws {
        page.reserve(binding)
        let tabs = try tabs(page)
        guard !tabs.isEmpty else { return }
        try write(page, tabs, tabs.map(option), binding)
    }

    /// What stands next to each other with the same tag is one tab.
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
        _ tabs: [PageElement],
        _ options: [ChoiceOption<Value>?],
        _ binding: Binding<Value>
    ) throws {
        let hasLabels = tabs.contains { $0.traits.tabLabel != nil }
        var named = options.compactMap { $0 }
        if !hasLabels { named = named.enumerated().map { ChoiceOption($0.element, "\($0.offset + 1)") } }
        if hasLabels {
            try page.choice(binding, "", named, weight: 2)
        } else if !named.isEmpty {
            // Nothing says that there are others; a picker may switch them.
            _ = page.control(of: binding, PageWriter.request(binding, "", named, weight: 1))
        }
        let now = binding.wrappedValue
        let index = options.firstIndex { $0?.value == now } ?? options.firstIndex { $0 == nil } ?? 0
        try page.append(tabs[index])
    }

    private static func words(_ tab: PageElement) -> String { tab.traits.tabLabel?.words ?? "" }
}

extension TabView where SelectionValue == Int {
    /// With the first tab.
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
    /// What stands on its tab.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        let label = label()
        return lowered { page, content in
            let words = try page.within(.part("tab")) { try page.collectOne { try page.lower(label) } }
            try page.each(content) { $0.traits.tabLabel = words }
        }
    }

    /// How tabs are switched, which is left to who draws.
    public func tabViewStyle<S: TabViewStyle>(_ style: S) -> some View { self }
}
