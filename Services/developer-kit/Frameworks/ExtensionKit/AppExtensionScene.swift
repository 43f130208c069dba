@_exported public import ExtensionFoundation
public import SwiftUICore

public protocol AppExtensionScene {
    associatedtype Body: AppExtensionScene

    var body: Body { get }
}

extension Never: AppExtensionScene {
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}

@resultBuilder
public enum AppExtensionSceneBuilder {
    public static func buildBlock<Content: AppExtensionScene>(_ content: Content) -> Content { content }
}

public struct PrimitiveAppExtensionScene: AppExtensionScene {
    let id: String
    let content: @MainActor () -> AnyView

    @MainActor @preconcurrency
    public init(id: String, @ViewBuilder content: @escaping () -> some View) {
        self.id = id
        self.content = { AnyView(content()) }
    }

    public var body: some AppExtensionScene { self }
}

public struct AppExtensionSceneConfiguration: AppExtensionConfiguration, ServingConfiguration {
    let scene: any AppExtensionScene
    private let server: (@MainActor () -> Void)?

    public init(_ scene: some AppExtensionScene) { self.init(scene, server: nil) }

    /// Creates a configuration. `server` handles the host's calls for the scene.
    package init(_ scene: some AppExtensionScene, server: (@MainActor () -> Void)?) {
        self.scene = scene
        self.server = server
    }

    package func serve() { server?() }
}
