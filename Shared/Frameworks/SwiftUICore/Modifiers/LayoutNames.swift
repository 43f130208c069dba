/// How something fits into its room.
public enum ContentMode: Hashable, CaseIterable, Sendable {
    /// All of it is seen.
    case fit
    /// No room is left.
    case fill
}

/// The top or the bottom.
public enum VerticalEdge: Int8, CaseIterable, Sendable {
    /// The top.
    case top
    /// The bottom.
    case bottom
}

/// Where the system's own things may be.
public struct SafeAreaRegions: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt

    /// Those.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Everywhere.
    public static let all = SafeAreaRegions(rawValue: .max)
    /// Bars.
    public static let container = SafeAreaRegions(rawValue: 1)
    /// The keyboard.
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}
