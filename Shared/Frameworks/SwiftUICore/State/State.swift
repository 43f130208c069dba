/// A value that a view keeps, and may change.
@propertyWrapper
public struct State<Value>: BoundProperty {
    let box: StateBox<Value>

    /// Begins with that value.
    public init(wrappedValue value: Value) { box = StateBox { value } }

    /// Begins with that value.
    public init(initialValue value: Value) { box = StateBox { value } }

    /// The value.
    public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.current = newValue }
    }

    /// For others to read and change it.
    public var projectedValue: Binding<Value> { box.binding }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Begins with nothing.
    public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}
