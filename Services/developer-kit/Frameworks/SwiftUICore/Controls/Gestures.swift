public import Foundation

/// A gesture. It is never recognized, because a page receives no touches.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    associatedtype Value

    associatedtype Body: Gesture

    @MainActor @preconcurrency var body: Self.Body { get }
}

extension Gesture where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other gestures.") }
}

extension Gesture {
    public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture<Value> {
        AnyGesture<Value>(self)
    }

    public func updating<State>(
        _ state: GestureState<State>,
        body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> some Gesture<Value> { AnyGesture<Value>(self) }

    public func map<T>(_ body: @escaping (Value) -> T) -> some Gesture<T> { UnnoticedGesture<T>() }

    public func sequenced<Other: Gesture>(before other: Other) -> SequenceGesture<Self, Other> {
        SequenceGesture(self, other)
    }

    public func simultaneously<Other: Gesture>(with other: Other) -> SimultaneousGesture<Self, Other> {
        SimultaneousGesture(self, other)
    }

    public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
        ExclusiveGesture(self, other)
    }
}

extension Gesture where Value: Equatable {
    public func onChanged(_ action: @escaping (Value) -> Void) -> some Gesture<Value> {
        AnyGesture<Value>(self)
    }
}

extension Never: Gesture {
    public typealias Value = Never
}

public struct AnyGesture<Value>: Gesture {
    public typealias Body = Never

    public init<T: Gesture>(_ gesture: T) where T.Value == Value {}
}

/// A gesture that is never recognized, with a given value type.
struct UnnoticedGesture<Value>: Gesture {
    typealias Body = Never
}

// These gestures are never recognized. They exist so that views that use them can be shown.

public struct TapGesture: Gesture {
    public typealias Body = Never
    public typealias Value = Void

    public var count: Int

    public init(count: Int = 1) { self.count = count }
}

public struct SpatialTapGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var location: CGPoint
    }

    public typealias Body = Never

    public var count: Int

    public init(count: Int = 1, coordinateSpace: CoordinateSpace = .local) { self.count = count }
}

public struct LongPressGesture: Gesture {
    public typealias Body = Never
    public typealias Value = Bool

    public var minimumDuration: Double
    public var maximumDistance: CGFloat

    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
        self.maximumDistance = maximumDistance
    }
}

public struct DragGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        public var location: CGPoint
        public var startLocation: CGPoint
        public var velocity: CGSize

        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        public var predictedEndLocation: CGPoint { location }
        public var predictedEndTranslation: CGSize { translation }
    }

    public typealias Body = Never

    public var minimumDistance: CGFloat
    public var coordinateSpace: CoordinateSpace

    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        self.minimumDistance = minimumDistance
        self.coordinateSpace = coordinateSpace
    }

    @_disfavoredOverload
    public init(minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol) {
        self.init(minimumDistance: minimumDistance, coordinateSpace: coordinateSpace.coordinateSpace)
    }
}

public struct MagnifyGesture: Gesture {
    public struct Value: Equatable, Sendable {
        public var time: Date
        public var magnification: CGFloat
        public var velocity: CGFloat
        public var startAnchor: UnitPoint
        public var startLocation: CGPoint
    }

    public typealias Body = Never

    public var minimumScaleDelta: CGFloat

    public init(minimumScaleDelta: CGFloat = 0.01) { self.minimumScaleDelta = minimumScaleDelta }
}

public struct GestureMask: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let none: GestureMask = []
    public static let gesture = GestureMask(rawValue: 1)
    public static let subviews = GestureMask(rawValue: 2)
    public static let all: GestureMask = [.gesture, .subviews]
}

public struct SequenceGesture<First: Gesture, Second: Gesture>: Gesture {
    public enum Value {
        case first(First.Value)
        case second(First.Value, Second.Value?)
    }

    public typealias Body = Never

    public var first: First
    public var second: Second

    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

public struct SimultaneousGesture<First: Gesture, Second: Gesture>: Gesture {
    public struct Value {
        public var first: First.Value?
        public var second: Second.Value?
    }

    public typealias Body = Never

    public var first: First
    public var second: Second

    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture {
    public enum Value {
        case first(First.Value)
        case second(Second.Value)
    }

    public typealias Body = Never

    public var first: First
    public var second: Second

    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// The state of a gesture. It keeps its initial value, because no gesture is recognized.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    public let wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public init(initialValue: Value) { wrappedValue = initialValue }

    public init(wrappedValue: Value, resetTransaction: Transaction) { self.wrappedValue = wrappedValue }

    public init(wrappedValue: Value, reset: @escaping (Value, inout Transaction) -> Void) {
        self.wrappedValue = wrappedValue
    }

    public var projectedValue: GestureState<Value> { self }
}

extension GestureState where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

extension GestureState: Sendable where Value: Sendable {}

extension View {
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View { self }
    public func gesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View { self }

    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all)
        -> some View
    { self }

    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all)
        -> some View
    { self }
}
