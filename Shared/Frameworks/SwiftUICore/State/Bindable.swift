public import Observation

/// Makes bindings to what an observable object has.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    /// The object.
    public var wrappedValue: Value

    /// This.
    public var projectedValue: Bindable<Value> { self }

    /// Only there to say that other things than observable objects have no bindings.
    @available(*, unavailable, message: "@Bindable takes an object of an @Observable class")
    @_disfavoredOverload
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject {
    /// To one of its properties.
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
    /// Of that object.
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }

    /// Of that object.
    public init(_ wrappedValue: Value) { self.init(object: wrappedValue) }

    /// The same.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }

    private init(object: Value) { wrappedValue = object }
}

extension Bindable: Sendable where Value: Sendable {}
