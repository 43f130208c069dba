/// Whether something is seen.
public enum Visibility: Hashable, CaseIterable, Sendable {
    /// As it suits.
    case automatic
    /// It is.
    case visible
    /// It is not.
    case hidden
}

/// How large what can be pressed is.
public enum ControlSize: CaseIterable, Sendable {
    /// The smallest.
    case mini
    /// Small.
    case small
    /// As it suits.
    case regular
    /// Large.
    case large
    /// The largest.
    case extraLarge
}

/// How what can be pressed is cut.
public struct ButtonBorderShape: Equatable, Sendable {
    private let name: String

    /// As it suits.
    public static let automatic = ButtonBorderShape(name: "automatic")
    /// With round sides.
    public static let capsule = ButtonBorderShape(name: "capsule")
    /// With round corners.
    public static let roundedRectangle = ButtonBorderShape(name: "roundedRectangle")
    /// Round.
    public static let circle = ButtonBorderShape(name: "circle")
}

/// In which form pictures of the system are drawn.
public struct SymbolVariants: Hashable, Sendable {
    private let name: String

    /// As they are named.
    public static let none = SymbolVariants(name: "none")
    /// Filled.
    public static let fill = SymbolVariants(name: "fill")
    /// In a circle.
    public static let circle = SymbolVariants(name: "circle")
    /// In a square.
    public static let square = SymbolVariants(name: "square")
    /// With a line through them.
    public static let slash = SymbolVariants(name: "slash")
}

extension VerticalEdge {
    /// The top, the bottom, or both.
    public struct Set: OptionSet, Sendable {
        /// A bit for each.
        public let rawValue: Int8

        /// Those.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// The top.
        public static let top = Set(rawValue: 1)
        /// The bottom.
        public static let bottom = Set(rawValue: 2)
        /// Both.
        public static let all: Set = [.top, .bottom]
    }
}
