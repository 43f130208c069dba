/// Which field is being written in; on a page none is, so it is only what the app makes it.
@propertyWrapper
public struct FocusState<Value: Hashable>: BoundProperty {
    /// Reads and changes it.
    @propertyWrapper
    public struct Binding {
        let binding: SwiftUICore.Binding<Value>

        /// The value.
        public var wrappedValue: Value {
            get { binding.wrappedValue }
            nonmutating set { binding.wrappedValue = newValue }
        }

        /// The binding itself.
        public var projectedValue: Binding { self }
    }

    let box: StateBox<Value>

    /// Whether it is the one field.
    public init() where Value == Bool { box = StateBox { false } }

    /// Which field it is, if it is any.
    public init<T: Hashable>() where Value == T? { box = StateBox { nil } }

    /// The value.
    public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.current = newValue }
    }

    /// For fields to read and change it.
    public var projectedValue: Binding { Binding(binding: box.binding) }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}

extension FocusState: Sendable where Value: Sendable {}

extension View {
    /// Which value stands for this field; on a page nobody writes in any.
    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value)
        -> some View
    { self }

    /// What says whether somebody writes in it; on a page nobody does.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }

    /// Whether it could be written in; on a page nothing can.
    public func focusable(_ isFocusable: Bool = true) -> some View { self }

    /// What would happen when somebody has written; on a page nobody does.
    public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
}
