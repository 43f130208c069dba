/// In how many colours a picture of the system is drawn; here it is one.
public struct SymbolRenderingMode: Sendable {
    /// In one.
    public static let monochrome = SymbolRenderingMode()
    /// In its own.
    public static let multicolor = SymbolRenderingMode()
    /// In shades of one.
    public static let hierarchical = SymbolRenderingMode()
    /// In those that were given.
    public static let palette = SymbolRenderingMode()
}
