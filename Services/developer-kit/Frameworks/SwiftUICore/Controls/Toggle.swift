/// A toggle. It shows its label and its state.
public struct Toggle<Label: View>: View, PrimitiveView {
    public typealias Body = Never

    private let isOn: Binding<Bool>
    private let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    package func write(_ page: PageWriter) throws {
        let configuration = ToggleStyleConfiguration(label: _StylePart("label", label), isOn: isOn)
        let style: any ToggleStyle = page.environment.look.toggleStyle ?? DefaultToggleStyle()
        try page.lower(style: style, configuration)
    }
}

extension Toggle where Label == Text {
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

@MainActor @preconcurrency
public protocol ToggleStyle {
    associatedtype Body: View

    typealias Configuration = ToggleStyleConfiguration

    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

public struct ToggleStyleConfiguration {
    public typealias Label = _StylePart<ToggleStyleConfiguration>

    public let label: Label

    @Binding public var isOn: Bool

    init(label: Label, isOn: Binding<Bool>) {
        self.label = label
        _isOn = isOn
    }
}

public struct DefaultToggleStyle: ToggleStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        HStack {
            configuration.label
            Spacer()
            Image(systemName: configuration.isOn ? "checkmark.circle.fill" : "circle")
                .foregroundColor(configuration.isOn ? .green : .secondary)
                .accessibilityLabel(configuration.isOn ? "✓" : "–")
        }
    }
}

public struct SwitchToggleStyle: ToggleStyle {
    nonisolated public init() {}

    nonisolated public init(tint: Color) {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultToggleStyle().makeBody(configuration: configuration)
    }
}

extension ToggleStyle where Self == DefaultToggleStyle {
    nonisolated public static var automatic: Self { Self() }
}

extension ToggleStyle where Self == SwitchToggleStyle {
    nonisolated public static var `switch`: Self { Self() }
}
