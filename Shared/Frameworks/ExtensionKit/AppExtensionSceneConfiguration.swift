package import ExtensionFoundation

/// An extension that shows something.
public struct AppExtensionSceneConfiguration: AppExtensionConfiguration, ServingConfiguration {
    let scene: any AppExtensionScene
    private let server: (@MainActor () -> Void)?

    /// An extension that shows this scene.
    public init(_ scene: some AppExtensionScene) { self.init(scene, server: nil) }

    /// `server` answers what is asked of the scene.
    package init(_ scene: some AppExtensionScene, server: (@MainActor () -> Void)?) {
        self.scene = scene
        self.server = server
    }

    package func serve() { server?() }
}
