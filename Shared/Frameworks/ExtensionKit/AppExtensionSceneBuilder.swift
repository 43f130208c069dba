/// Builds what an extension shows.
@resultBuilder
public enum AppExtensionSceneBuilder {
    /// The one scene there is.
    public static func buildBlock<Content: AppExtensionScene>(_ content: Content) -> Content { content }
}
