import STContracts

/// A choice.
///
/// On a page it can be changed: the page is made anew for each thing that can be chosen.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, PrimitiveView {
    /// It is its choices.
    public typealias Body = Never

    private let selection: Binding<SelectionValue>
    private let label: Label
    private let content: Content

    /// With those choices, each of which has a `tag`.
    public init(
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.label = label()
        self.content = content()
    }

    /// With those choices, each of which has a `tag`.
    public init(
        selection: Binding<SelectionValue>,
        label: Label,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content, label: { label }) }

    package func write(_ page: PageWriter) throws {
        let words = try page.within(.part("label")) { try page.collect { try page.lower(label) } }
            .map(\.words).joined(separator: " ")
        let options = try page.within(.part("options")) { try page.collect { try page.lower(content) } }
            .compactMap { ChoiceOption<SelectionValue>($0) }
        try page.choice(selection, words, options, weight: 3)
    }
}

extension Picker where Label == Text {
    /// With those choices, each of which has a `tag`.
    public init(
        _ titleKey: LocalizedStringKey,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(titleKey) } }

    /// With those choices, each of which has a `tag`.
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) { self.init(selection: selection, content: content) { Text(title) } }
}
