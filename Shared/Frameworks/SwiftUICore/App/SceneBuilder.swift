/// Puts the scenes of an app together.
@resultBuilder
public struct SceneBuilder {
    /// A scene as it is.
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }

    /// One scene as it is.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

    /// Several scenes; the first one is what is shown.
    public static func buildBlock<First: Scene, each Other: Scene>(
        _ first: First,
        _ other: repeat each Other
    ) -> First { first }
}
