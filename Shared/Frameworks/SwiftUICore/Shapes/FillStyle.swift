/// How an outline that crosses itself is filled, which is left to who draws.
public struct FillStyle: Equatable, Sendable {
    /// Whether what lies within two lines is outside.
    public var isEOFilled: Bool
    /// Whether its edges are smooth.
    public var isAntialiased: Bool

    /// So.
    public init(eoFill: Bool = false, antialiased: Bool = true) {
        isEOFilled = eoFill
        isAntialiased = antialiased
    }
}
