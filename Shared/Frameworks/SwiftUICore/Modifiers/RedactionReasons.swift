/// Why something is not shown as it is.
public struct RedactionReasons: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: Int

    /// Those.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// There is nothing to show yet.
    public static let placeholder = RedactionReasons(rawValue: 1)
    /// Others may look on.
    public static let privacy = RedactionReasons(rawValue: 2)
    /// What is shown is old.
    public static let invalidated = RedactionReasons(rawValue: 4)
}
