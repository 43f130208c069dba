public import Combine

/// An object that a view keeps.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: BoundProperty {
    let box: StateBox<ObjectType>

    /// Made once, when it is first needed.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = StateBox(thunk) }

    /// The object.
    @MainActor @preconcurrency public var wrappedValue: ObjectType { box.current }

    /// For bindings to what the object has.
    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
        ObservedObject.Wrapper(object: box.current)
    }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}
