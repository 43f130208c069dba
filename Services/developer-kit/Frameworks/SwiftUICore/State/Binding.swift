public import Combine
public import Observation

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    let identity: BindingIdentity?
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void

    public var transaction = Transaction()

    init(identity: BindingIdentity?, get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.identity = identity
        read = get
        write = { value, _ in set(value) }
    }

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.init(identity: nil, get: get, set: set)
    }

    public init(get: @escaping () -> Value, set: @escaping (Value, Transaction) -> Void) {
        identity = nil
        read = get
        write = set
    }

    public init(projectedValue: Binding<Value>) { self = projectedValue }

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue, transaction) }
    }

    public var projectedValue: Binding<Value> { self }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(
            identity: identity?.then(keyPath),
            get: { wrappedValue[keyPath: keyPath] },
            set: { wrappedValue[keyPath: keyPath] = $0 }
        )
    }

    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, get: { value }, set: { _ in })
    }

    public func animation(_ animation: Animation? = .default) -> Binding<Value> { self }

    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var other = self
        other.transaction = transaction
        return other
    }

    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(
            identity: base.identity,
            get: { base.wrappedValue },
            set: { if let value = $0 { base.wrappedValue = value } }
        )
    }

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
    /// Returns a binding to one element. If the element no longer exists, the binding keeps its last value.
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

// The bound value has its own lock, or belongs to the main actor as views do.
extension Binding: @unchecked Sendable where Value: Sendable {}  // @unchecked: see above.
extension Binding: DynamicProperty {}

@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    public var wrappedValue: Value

    public var projectedValue: Bindable<Value> { self }

    /// Makes the compiler report an error for values that are not observable objects.
    @available(*, unavailable, message: "@Bindable takes an object of an @Observable class")
    @_disfavoredOverload
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject {
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(
            identity: BindingIdentity(object: ObjectIdentifier(object), path: [keyPath]),
            get: { object[keyPath: keyPath] },
            set: { object[keyPath: keyPath] = $0 }
        )
    }
}

extension Bindable where Value: AnyObject, Value: Observable {
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }

    public init(_ wrappedValue: Value) { self.init(object: wrappedValue) }

    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    private init(object: Value) { wrappedValue = object }
}

extension Bindable: Sendable where Value: Sendable {}

@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    // A reference that is only accessed on the main thread, as views are.
    nonisolated(unsafe) private var object: ObjectType  // unsafe: see above.

    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        get { object }
        set { object = newValue }
    }

    nonisolated public init(initialValue: ObjectType) { object = initialValue }

    nonisolated public init(wrappedValue: ObjectType) { object = wrappedValue }

    @MainActor @preconcurrency public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    @dynamicMemberLookup @MainActor @preconcurrency
    public struct Wrapper {
        let object: ObjectType

        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(
                identity: BindingIdentity(object: ObjectIdentifier(object), path: [keyPath]),
                get: { object[keyPath: keyPath] },
                set: { object[keyPath: keyPath] = $0 }
            )
        }
    }
}

/// The identity of the value that a binding accesses. Two controls with the same identity are one control.
struct BindingIdentity: Hashable {
    var object: ObjectIdentifier
    var path: [AnyKeyPath] = []

    func then(_ key: AnyKeyPath) -> BindingIdentity { BindingIdentity(object: object, path: path + [key]) }
}
