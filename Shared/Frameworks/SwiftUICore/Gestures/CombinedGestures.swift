/// One, and then another.
public struct SequenceGesture<First: Gesture, Second: Gesture>: Gesture {
    /// What is known of it.
    public enum Value {
        /// The first one is under way.
        case first(First.Value)
        /// It is over, and the second one may be under way.
        case second(First.Value, Second.Value?)
    }

    /// It is one by itself.
    public typealias Body = Never

    /// The first one.
    public var first: First
    /// The one after it.
    public var second: Second

    /// Those.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

/// Two at once.
public struct SimultaneousGesture<First: Gesture, Second: Gesture>: Gesture {
    /// What is known of it.
    public struct Value {
        /// Of the first one.
        public var first: First.Value?
        /// Of the other.
        public var second: Second.Value?
    }

    /// It is one by itself.
    public typealias Body = Never

    /// The first one.
    public var first: First
    /// The other.
    public var second: Second

    /// Those.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

/// One, or else another.
public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture {
    /// What is known of it.
    public enum Value {
        /// It is the first one.
        case first(First.Value)
        /// It is the other.
        case second(Second.Value)
    }

    /// It is one by itself.
    public typealias Body = Never

    /// The one that is tried first.
    public var first: First
    /// The other.
    public var second: Second

    /// Those.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
}

extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
