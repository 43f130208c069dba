public import Combine

/// An object that a view around this one set.
@propertyWrapper @MainActor @preconcurrency
public struct EnvironmentObject<ObjectType: ObservableObject>: BoundProperty {
    let reader: EnvironmentReader<ObjectType>

    /// Without an object yet.
    nonisolated public init() {
        reader = EnvironmentReader(missing: "\(ObjectType.self)") { $0.object(ObjectType.self) }
    }

    /// The object.
    @MainActor @preconcurrency public var wrappedValue: ObjectType { reader.value }

    /// For bindings to what the object has.
    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
        ObservedObject.Wrapper(object: reader.value)
    }

    func bind(to page: PageWriter, _ number: Int) throws { try reader.bind(to: page) }
}
