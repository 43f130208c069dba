/// Reads and changes a value that something else keeps.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    let identity: BindingIdentity?
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void

    /// How a change is shown; nothing moves on a page.
    public var transaction = Transaction()

    init(identity: BindingIdentity?, get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.identity = identity
        read = get
        write = { value, _ in set(value) }
    }

    /// Reads and changes with closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.init(identity: nil, get: get, set: set)
    }

    /// Reads and changes with closures.
    public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        identity = nil
        read = get
        write = set
    }

    /// The same.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue, transaction) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// Of a part of the value.
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            identity: identity?.then(keyPath),
            get: { wrappedValue[keyPath: keyPath] },
            set: { wrappedValue[keyPath: keyPath] = $0 }
        )
    }

    /// Always that value, whatever is set.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, get: { value }, set: { _ in })
    }

    /// The same: nothing moves on a page.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> { self }

    /// The same, with that transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var other = self
        other.transaction = transaction
        return other
    }
}

extension Binding {
    /// Of a value that may be none, to which there is always one.
    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(
            identity: base.identity,
            get: { base.wrappedValue },
            set: { if let value = $0 { base.wrappedValue = value } }
        )
    }

    /// Of a value that is there now; nil when there is none.
    public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        self.init(
            identity: base.identity,
            get: { base.wrappedValue ?? first },
            set: { base.wrappedValue = $0 }
        )
    }
}

extension Binding where Value: MutableCollection {
    /// Of one element; one that is gone is as it was.
    func at(_ index: Value.Index, _ before: Value) -> Binding<Value.Element> {
        let first = before[index]
        func isThere(_ all: Value) -> Bool { index >= all.startIndex && index < all.endIndex }
        return Binding<Value.Element>(
            identity: nil,
            get: {
                let now = wrappedValue
                return isThere(now) ? now[index] : first
            },
            set: { if isThere(wrappedValue) { wrappedValue[index] = $0 } }
        )
    }
}

// What is bound has its own lock, or belongs to the main actor as views do.
extension Binding: @unchecked Sendable where Value: Sendable {}  // @unchecked: said above.
extension Binding: DynamicProperty {}
