/// What somebody does with fingers or a pointer; on a page nobody does, so none is ever noticed.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    /// What is known of it.
    associatedtype Value

    /// What it consists of.
    associatedtype Body: Gesture

    /// What it consists of.
    @MainActor @preconcurrency var body: Self.Body { get }
}

extension Gesture where Body == Never {
    /// Not to be asked for: this one does not consist of others.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other gestures.") }
}

extension Gesture {
    /// What would happen when it ends.
    public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture<Value> {
        AnyGesture<Value>(self)
    }

    /// What would be kept while it goes on.
    public func updating<State>(
        _ state: GestureState<State>,
        body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> some Gesture<Value> { AnyGesture<Value>(self) }

    /// With what is known of it as something else.
    public func map<T>(_ body: @escaping (Value) -> T) -> some Gesture<T> { UnnoticedGesture<T>() }

    /// This one, and then another.
    public func sequenced<Other: Gesture>(before other: Other) -> SequenceGesture<Self, Other> {
        SequenceGesture(self, other)
    }

    /// This one and another at once.
    public func simultaneously<Other: Gesture>(with other: Other) -> SimultaneousGesture<Self, Other> {
        SimultaneousGesture(self, other)
    }

    /// This one, or else another.
    public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
        ExclusiveGesture(self, other)
    }
}

extension Gesture where Value: Equatable {
    /// What would happen when it goes on.
    public func onChanged(_ action: @escaping (Value) -> Void) -> some Gesture<Value> {
        AnyGesture<Value>(self)
    }
}

extension Never: Gesture {
    /// Nothing is known of none.
    public typealias Value = Never
}

/// One of which nobody needs to know the kind.
public struct AnyGesture<Value>: Gesture {
    /// It does not consist of others.
    public typealias Body = Never

    /// That one.
    public init<T: Gesture>(_ gesture: T) where T.Value == Value {}
}

/// One that does nothing but have a value.
struct UnnoticedGesture<Value>: Gesture {
    typealias Body = Never
}
