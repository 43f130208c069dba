import STContracts

/// Something to press; on a page it is only what stands on it, in the colour of what can be pressed.
public struct Button<Label: View>: View, PrimitiveView {
    /// It is what stands on it.
    public typealias Body = Never

    private let role: ButtonRole?
    private let label: Label

    /// Does that when it is pressed.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }

    /// Does that when it is pressed.
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.label = label()
    }

    package func write(_ page: PageWriter) throws {
        let configuration = ButtonStyleConfiguration(
            role: role,
            label: _StylePart("label", label),
            isPressed: false
        )
        let style: any ButtonStyle = page.environment.look.buttonStyle ?? DefaultButtonStyle()
        try page.lower(style: style, configuration)
    }
}

extension Button where Label == Text {
    /// Does that when it is pressed.
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }

    /// Does that when it is pressed.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }

    /// Does that when it is pressed.
    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    /// Does that when it is pressed.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUICore.Label<Text, Image> {
    /// Does that when it is pressed.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void)
    {
        self.init(action: action) { SwiftUICore.Label(titleKey, systemImage: systemImage) }
    }

    /// Does that when it is pressed.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { SwiftUICore.Label(title, systemImage: systemImage) }
    }
}

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    private let name: String

    /// Takes something away.
    public static let destructive = ButtonRole(name: "destructive")
    /// Does nothing.
    public static let cancel = ButtonRole(name: "cancel")
}
