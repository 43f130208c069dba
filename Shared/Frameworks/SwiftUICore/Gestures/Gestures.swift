public import Foundation

// None of them is noticed on a page: they are here so that views that have them can be shown.

/// A press, or several.
public struct TapGesture: Gesture {
    /// It does not consist of others.
    public typealias Body = Never
    /// There is nothing to be known of it.
    public typealias Value = Void

    /// How many.
    public var count: Int

    /// So many.
    public init(count: Int = 1) { self.count = count }
}

/// A press, with its place.
public struct SpatialTapGesture: Gesture {
    /// What is known of it.
    public struct Value: Equatable, Sendable {
        /// Where it was.
        public var location: CGPoint
    }

    /// It does not consist of others.
    public typealias Body = Never

    /// How many.
    public var count: Int

    /// So many.
    public init(count: Int = 1, coordinateSpace: CoordinateSpace = .local) { self.count = count }
}

/// A long press.
public struct LongPressGesture: Gesture {
    /// It does not consist of others.
    public typealias Body = Never
    /// Whether it is under way.
    public typealias Value = Bool

    /// How long, in seconds.
    public var minimumDuration: Double
    /// How far a finger may move meanwhile.
    public var maximumDistance: CGFloat

    /// So long.
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
        self.maximumDistance = maximumDistance
    }
}

/// A finger that moves.
public struct DragGesture: Gesture {
    /// What is known of it.
    public struct Value: Equatable, Sendable {
        /// When it was there.
        public var time: Date
        /// Where it is.
        public var location: CGPoint
        /// Where it began.
        public var startLocation: CGPoint
        /// How fast it is, in points a second.
        public var velocity: CGSize

        /// How far it has come.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// Where it would come to rest.
        public var predictedEndLocation: CGPoint { location }
        /// How far it would come.
        public var predictedEndTranslation: CGSize { translation }
    }

    /// It does not consist of others.
    public typealias Body = Never

    /// How far it has to go first.
    public var minimumDistance: CGFloat
    /// From where its places are counted.
    public var coordinateSpace: CoordinateSpace

    /// When it has gone so far.
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        self.minimumDistance = minimumDistance
        self.coordinateSpace = coordinateSpace
    }

    /// When it has gone so far.
    @_disfavoredOverload
    public init(minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol) {
        self.init(minimumDistance: minimumDistance, coordinateSpace: coordinateSpace.coordinateSpace)
    }
}

/// Two fingers that go apart or together.
public struct MagnifyGesture: Gesture {
    /// What is known of it.
    public struct Value: Equatable, Sendable {
        /// When it was so.
        public var time: Date
        /// How many times as large.
        public var magnification: CGFloat
        /// How fast that changes.
        public var velocity: CGFloat
        /// Where it began.
        public var startAnchor: UnitPoint
        /// Where it began.
        public var startLocation: CGPoint
    }

    /// It does not consist of others.
    public typealias Body = Never

    /// How much it has to be first.
    public var minimumScaleDelta: CGFloat

    /// When it is so much.
    public init(minimumScaleDelta: CGFloat = 0.01) { self.minimumScaleDelta = minimumScaleDelta }
}

/// Which gestures of a view and of those within it count.
public struct GestureMask: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt32

    /// Those.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// None.
    public static let none: GestureMask = []
    /// That of the view.
    public static let gesture = GestureMask(rawValue: 1)
    /// Those within it.
    public static let subviews = GestureMask(rawValue: 2)
    /// All.
    public static let all: GestureMask = [.gesture, .subviews]
}
