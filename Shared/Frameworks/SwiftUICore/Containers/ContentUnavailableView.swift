/// Says that there is nothing to show.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    private let label: Label
    private let description: Description
    private let actions: Actions

    /// With words, more words and things to press.
    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.label = label()
        self.description = description()
        self.actions = actions()
    }

    /// All of them below each other.
    public var body: some View {
        VStack(spacing: 8) {
            label.font(.title2.weight(.bold))
            description.font(.subheadline).foregroundColor(.secondary)
            actions
        }
        .padding()
    }
}

extension ContentUnavailableView
where Label == SwiftUICore.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// With words and one of the system's pictures.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init(
            label: { SwiftUICore.Label(title, systemImage: name) },
            description: { description },
            actions: { EmptyView() }
        )
    }

    /// With words and one of the system's pictures.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {
        self.init(
            label: { SwiftUICore.Label(title, systemImage: name) },
            description: { description },
            actions: { EmptyView() }
        )
    }
}
