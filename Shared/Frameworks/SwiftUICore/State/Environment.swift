public import Observation

/// Something that the views around this one, or the system, say.
@propertyWrapper
public struct Environment<Value>: BoundProperty {
    let reader: EnvironmentReader<Value>

    /// By its key path.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        reader = EnvironmentReader(missing: nil) { $0[keyPath: keyPath] }
    }

    /// An object that a view around this one set.
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        reader = EnvironmentReader(missing: "\(objectType)") { $0.object(objectType) }
    }

    /// An object that a view around this one may have set.
    public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable {
        reader = EnvironmentReader(missing: nil) { .some($0.object(objectType)) }
    }

    /// The value.
    public var wrappedValue: Value { reader.value }

    func bind(to page: PageWriter, _ number: Int) throws { try reader.bind(to: page) }
}

extension Environment: Sendable where Value: Sendable {}
