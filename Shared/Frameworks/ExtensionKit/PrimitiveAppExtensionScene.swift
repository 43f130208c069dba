public import SwiftUICore

/// A scene with a view in it.
public struct PrimitiveAppExtensionScene: AppExtensionScene {
    let id: String
    let content: @MainActor () -> AnyView

    /// A view under a name.
    @MainActor @preconcurrency
    public init(id: String, @ViewBuilder content: @escaping () -> some View) {
        self.id = id
        self.content = { AnyView(content()) }
    }

    /// It is not made of anything else.
    public var body: some AppExtensionScene { self }
}
