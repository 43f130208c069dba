import STContracts

/// How buttons look.
@MainActor @preconcurrency
public protocol ButtonStyle {
    /// What a button is.
    associatedtype Body: View

    /// What the button has.
    typealias Configuration = ButtonStyleConfiguration

    /// What the button is.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// What a button has.
public struct ButtonStyleConfiguration {
    /// What stands on it.
    public typealias Label = _StylePart<ButtonStyleConfiguration>

    /// What it is for.
    public let role: ButtonRole?
    /// What stands on it.
    public let label: Label
    /// Whether it is being pressed.
    public let isPressed: Bool
}

/// How buttons look and what they do; here only the look counts.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle: ButtonStyle {}

/// As it suits: words in the colour of what can be pressed.
public struct DefaultButtonStyle: PrimitiveButtonStyle {
    /// One.
    nonisolated public init() {}

    /// The words.
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.changed {
            guard $0.look.foreground == nil else { return }
            $0.look.foreground =
                configuration.role == .destructive
                ? AnyShapeStyle(Color.red)
                : !$0.look.isEnabled ? AnyShapeStyle(Color.secondary) : AnyShapeStyle(TintShapeStyle())
        }
    }
}

/// As what is around.
public struct PlainButtonStyle: PrimitiveButtonStyle {
    /// One.
    nonisolated public init() {}

    /// The words.
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

/// Words in the colour of what can be pressed.
public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    /// One.
    nonisolated public init() {}

    /// The words.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultButtonStyle().makeBody(configuration: configuration)
    }
}

/// On a light ground.
public struct BorderedButtonStyle: PrimitiveButtonStyle {
    /// One.
    nonisolated public init() {}

    /// The words on their ground.
    public func makeBody(configuration: Configuration) -> some View {
        DefaultButtonStyle().makeBody(configuration: configuration)
            .padding(.horizontal, 12).padding(.vertical, 7)
            .background(FillShapeStyle()).cornerRadius(8)
    }
}

/// On a ground in the colour of what can be pressed.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    /// One.
    nonisolated public init() {}

    /// The words on their ground.
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.foregroundColor(.white)
            .padding(.horizontal, 12).padding(.vertical, 7)
            .background(TintShapeStyle()).cornerRadius(8)
    }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// As it suits.
    nonisolated public static var automatic: DefaultButtonStyle { DefaultButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// As what is around.
    nonisolated public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// Words in the colour of what can be pressed.
    nonisolated public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// On a light ground.
    nonisolated public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// On a ground in the colour of what can be pressed.
    nonisolated public static var borderedProminent: BorderedProminentButtonStyle {
        BorderedProminentButtonStyle()
    }
}
