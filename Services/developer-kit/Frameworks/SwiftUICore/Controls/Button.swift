public import Foundation
import STContracts

/// A button. It shows its label in the tint colour, and its action is never called.
public struct Button<Label: View>: View, PrimitiveView {
    public typealias Body = Never

    private let role: ButtonRole?
    private let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }

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
    public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }

    public init(_ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == SwiftUICore.Label<Text, Image> {
    public init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void)
    {
        self.init(action: action) { SwiftUICore.Label(titleKey, systemImage: systemImage) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { SwiftUICore.Label(title, systemImage: systemImage) }
    }
}

public struct ButtonRole: Equatable, Sendable {
    private let name: String

    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

@MainActor @preconcurrency
public protocol ButtonStyle {
    associatedtype Body: View

    typealias Configuration = ButtonStyleConfiguration

    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

public struct ButtonStyleConfiguration {
    public typealias Label = _StylePart<ButtonStyleConfiguration>

    public let role: ButtonRole?
    public let label: Label
    public let isPressed: Bool
}

/// A style with its own interaction. Only its appearance counts, because people cannot press anything on a page.
@MainActor @preconcurrency
public protocol PrimitiveButtonStyle: ButtonStyle {}

public struct DefaultButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}

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

public struct PlainButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultButtonStyle().makeBody(configuration: configuration)
    }
}

public struct BorderedButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        DefaultButtonStyle().makeBody(configuration: configuration)
            .padding(.horizontal, 12).padding(.vertical, 7)
            .background(FillShapeStyle()).cornerRadius(8)
    }
}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}

    public func makeBody(configuration: Configuration) -> some View {
        configuration.label.foregroundColor(.white)
            .padding(.horizontal, 12).padding(.vertical, 7)
            .background(TintShapeStyle()).cornerRadius(8)
    }
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    nonisolated public static var automatic: Self { Self() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    nonisolated public static var plain: Self { Self() }
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    nonisolated public static var borderless: Self { Self() }
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    nonisolated public static var bordered: Self { Self() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    nonisolated public static var borderedProminent: Self { Self() }
}

/// A link. It only shows its label in the tint colour.
public struct Link<Label: View>: View {
    private let label: Label

    public init(destination: URL, @ViewBuilder label: () -> Label) { self.label = label() }

    public var body: some View { label.foregroundStyle(TintShapeStyle()) }
}

extension Link where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: URL) { label = Text(titleKey) }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) { label = Text(title) }
}

/// A menu that stays closed. It only shows its label in the tint colour.
public struct Menu<Label: View, Content: View>: View {
    private let label: Label

    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { self.label = label() }

    public var body: some View { label.foregroundStyle(TintShapeStyle()) }
}

extension Menu where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        label = Text(titleKey)
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { label = Text(title) }
}

/// The style of a menu. It has no effect, because menus stay closed.
public protocol MenuStyle: Sendable {}

public struct DefaultMenuStyle: MenuStyle { public init() {} }
extension MenuStyle where Self == DefaultMenuStyle { public static var automatic: Self { Self() } }
