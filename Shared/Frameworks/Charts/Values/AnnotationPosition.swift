public import Foundation

/// Where the words of a mark stand.
public struct AnnotationPosition: Hashable, Sendable {
    private let name: String

    private init(_ name: String) { self.name = name }

    /// Where there is room.
    public static let automatic = AnnotationPosition("automatic")

    /// On it.
    public static let overlay = AnnotationPosition("overlay")

    /// Above.
    public static let top = AnnotationPosition("top")

    /// Below.
    public static let bottom = AnnotationPosition("bottom")

    /// Before.
    public static let leading = AnnotationPosition("leading")

    /// Behind.
    public static let trailing = AnnotationPosition("trailing")

    /// Above and before.
    public static let topLeading = AnnotationPosition("topLeading")

    /// Above and behind.
    public static let topTrailing = AnnotationPosition("topTrailing")

    /// Below and before.
    public static let bottomLeading = AnnotationPosition("bottomLeading")

    /// Below and behind.
    public static let bottomTrailing = AnnotationPosition("bottomTrailing")
}

/// What the words of a mark know about it.
public struct AnnotationContext: Sendable {
    /// How large the mark is: not known before it is shown.
    public var targetSize: CGSize { .zero }
}

/// What becomes of words that do not fit.
public struct AnnotationOverflowResolution: Hashable, Sendable {
    /// In one direction.
    public struct Strategy: Hashable, Sendable {
        /// What seems best.
        public static var automatic: Strategy { Strategy() }

        /// They are moved.
        public static var fit: Strategy { Strategy() }

        /// They are moved.
        public static func fit(to boundary: Boundary) -> Strategy { Strategy() }

        /// The chart makes room.
        public static var padScale: Strategy { Strategy() }

        /// They stay.
        public static var disabled: Strategy { Strategy() }
    }

    /// What they have to fit into.
    public struct Boundary: Hashable, Sendable {
        /// What seems best.
        public static var automatic: Boundary { Boundary() }

        /// The chart.
        public static var chart: Boundary { Boundary() }

        /// What is inside of the axes.
        public static var plot: Boundary { Boundary() }
    }

    /// What seems best.
    public static var automatic: AnnotationOverflowResolution { AnnotationOverflowResolution() }

    /// In both directions.
    public init(x: Strategy = .automatic, y: Strategy = .automatic) {}
}
