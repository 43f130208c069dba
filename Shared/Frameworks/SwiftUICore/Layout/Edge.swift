/// A side.
public enum Edge: Int8, CaseIterable, Sendable {
    /// The top.
    case top
    /// Where lines begin.
    case leading
    /// The bottom.
    case bottom
    /// Where lines end.
    case trailing

    /// Some sides.
    public struct Set: OptionSet, Sendable {
        /// A bit for each.
        public let rawValue: Int8

        /// Those.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// That one.
        public init(_ e: Edge) { self.init(rawValue: 1 << e.rawValue) }

        /// The top.
        public static let top = Set(.top)
        /// Where lines begin.
        public static let leading = Set(.leading)
        /// The bottom.
        public static let bottom = Set(.bottom)
        /// Where lines end.
        public static let trailing = Set(.trailing)
        /// All.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// Both where lines begin and where they end.
        public static let horizontal: Set = [.leading, .trailing]
        /// The top and the bottom.
        public static let vertical: Set = [.top, .bottom]
    }
}
