public import Combine

/// An object that a view was given.
@propertyWrapper @MainActor @preconcurrency
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    // A reference, set and read where views are.
    nonisolated(unsafe) private var object: ObjectType  // unsafe: said above.

    /// The object.
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        get { object }
        set { object = newValue }
    }

    /// Begins with that object.
    nonisolated public init(initialValue: ObjectType) { object = initialValue }

    /// Begins with that object.
    nonisolated public init(wrappedValue: ObjectType) { object = wrappedValue }

    /// For bindings to what the object has.
    @MainActor @preconcurrency public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    /// Makes bindings to what an object has.
    @dynamicMemberLookup @MainActor @preconcurrency
    public struct Wrapper {
        let object: ObjectType

        /// To one of its properties.
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
