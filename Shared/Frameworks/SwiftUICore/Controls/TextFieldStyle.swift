/// How fields for words look, which is left to who draws.
public protocol TextFieldStyle: Sendable {}

/// As it suits.
public struct DefaultTextFieldStyle: TextFieldStyle {
    /// One.
    public init() {}
}

extension TextFieldStyle where Self == DefaultTextFieldStyle {
    /// As it suits.
    public static var automatic: DefaultTextFieldStyle { DefaultTextFieldStyle() }
}

/// Without a line.
public struct PlainTextFieldStyle: TextFieldStyle {
    /// One.
    public init() {}
}

extension TextFieldStyle where Self == PlainTextFieldStyle {
    /// Without a line.
    public static var plain: PlainTextFieldStyle { PlainTextFieldStyle() }
}

/// With round corners.
public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    /// One.
    public init() {}
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    /// With round corners.
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}
