/// How boxes look, which is left to who draws.
public protocol GroupBoxStyle: Sendable {}

/// As it suits.
public struct DefaultGroupBoxStyle: GroupBoxStyle {
    /// One.
    public init() {}
}

extension GroupBoxStyle where Self == DefaultGroupBoxStyle {
    /// As it suits.
    public static var automatic: DefaultGroupBoxStyle { DefaultGroupBoxStyle() }
}
