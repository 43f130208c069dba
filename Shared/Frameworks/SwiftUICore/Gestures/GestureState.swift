/// A value that a view keeps while a gesture goes on; as on a page none does, it stays as it is at first.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    /// The value.
    public let wrappedValue: Value

    /// Is that value before and after.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Is that value before and after.
    public init(initialValue: Value) { wrappedValue = initialValue }

    /// Is that value before and after, to which it goes back so.
    public init(wrappedValue: Value, resetTransaction: Transaction) { self.wrappedValue = wrappedValue }

    /// Is that value before and after, to which it goes back so.
    public init(wrappedValue: Value, reset: @escaping (Value, inout Transaction) -> Void) {
        self.wrappedValue = wrappedValue
    }

    /// For a gesture to change it.
    public var projectedValue: GestureState<Value> { self }
}

extension GestureState where Value: ExpressibleByNilLiteral {
    /// Is nothing before and after.
    public init() { self.init(wrappedValue: nil) }
}

extension GestureState: Sendable where Value: Sendable {}
