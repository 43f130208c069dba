/// From side to side, or from top to bottom.
public enum Axis: Int8, CaseIterable, Sendable {
    /// From side to side.
    case horizontal
    /// From top to bottom.
    case vertical

    /// Some of them.
    public struct Set: OptionSet, Sendable {
        /// A bit for each.
        public let rawValue: Int8

        /// Those.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// From side to side.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)
    }
}
