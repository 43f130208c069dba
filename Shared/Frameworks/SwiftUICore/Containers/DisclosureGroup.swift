/// Things that can be hidden; on a page they are there, because nobody could bring them up.
public struct DisclosureGroup<Label: View, Content: View>: View {
    private let label: Label
    private let content: Content

    /// With those things.
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }

    /// With those things.
    public init(
        isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder label: () -> Label
    ) { self.init(content: content, label: label) }

    /// The words, and the things below.
    public var body: some View {
        VStack(alignment: .leading) {
            label
            content
        }
    }
}

extension DisclosureGroup where Label == Text {
    /// With those things.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(titleKey) }
    }

    /// With those things.
    public init(
        _ titleKey: LocalizedStringKey,
        isExpanded: Binding<Bool>,
        @ViewBuilder content: @escaping () -> Content
    ) { self.init(content: content) { Text(titleKey) } }

    /// With those things.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ label: S, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content) { Text(label) }
    }
}
