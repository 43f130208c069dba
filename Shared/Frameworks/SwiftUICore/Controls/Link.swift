public import Foundation

/// Leads to an address; on a page it is what stands on it.
public struct Link<Label: View>: View {
    private let label: Label

    /// To that address.
    public init(destination: URL, @ViewBuilder label: () -> Label) { self.label = label() }

    /// What stands on it.
    public var body: some View { label.foregroundStyle(TintShapeStyle()) }
}

extension Link where Label == Text {
    /// To that address.
    public init(_ titleKey: LocalizedStringKey, destination: URL) { label = Text(titleKey) }

    /// To that address.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: URL) { label = Text(title) }
}

/// Things to choose from when it is pressed; on a page it is what stands on it.
public struct Menu<Label: View, Content: View>: View {
    private let label: Label

    /// With those things.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { self.label = label() }

    /// What stands on it.
    public var body: some View { label.foregroundStyle(TintShapeStyle()) }
}

extension Menu where Label == Text {
    /// With those things.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        label = Text(titleKey)
    }

    /// With those things.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) { label = Text(title) }
}
