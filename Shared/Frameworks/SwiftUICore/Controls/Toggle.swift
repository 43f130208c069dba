/// Something that is on or off; on a page it shows which.
public struct Toggle<Label: View>: View, PrimitiveView {
    /// It is its words and whether it is on.
    public typealias Body = Never

    private let isOn: Binding<Bool>
    private let label: Label

    /// With those words.
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
    /// With those words.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }

    /// With those words.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}

/// How something that is on or off looks.
@MainActor @preconcurrency
public protocol ToggleStyle {
    /// What it is.
    associatedtype Body: View

    /// Its words and whether it is on.
    typealias Configuration = ToggleStyleConfiguration

    /// What it is.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// What is on or off.
public struct ToggleStyleConfiguration {
    /// Its words.
    public typealias Label = _StylePart<ToggleStyleConfiguration>

    /// Its words.
    public let label: Label

    /// Whether it is on.
    @Binding public var isOn: Bool

    init(label: Label, isOn: Binding<Bool>) {
        self.label = label
        _isOn = isOn
    }
}

/// Words, and a mark at their end when it is on.
public struct DefaultToggleStyle: ToggleStyle {
    /// One.
    nonisolated public init() {}

    /// Words and a mark.
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

/// Words, and a mark at their end when it is on.
public struct SwitchToggleStyle: ToggleStyle {
    /// One.
    nonisolated public init() {}

    /// One in that colour.
    nonisolated public init(tint: Color) {}

    /// Words and a mark.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultToggleStyle().makeBody(configuration: configuration)
    }
}

extension ToggleStyle where Self == DefaultToggleStyle {
    /// As it suits.
    nonisolated public static var automatic: DefaultToggleStyle { DefaultToggleStyle() }
}

extension ToggleStyle where Self == SwitchToggleStyle {
    /// As a switch.
    nonisolated public static var `switch`: SwitchToggleStyle { SwitchToggleStyle() }
}
