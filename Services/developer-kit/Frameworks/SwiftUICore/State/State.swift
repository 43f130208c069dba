public import Combine
import Foundation
public import STFoundationGaps

@propertyWrapper
public struct State<Value>: BoundProperty {
    let box: StateBox<Value>

    public init(wrappedValue value: Value) { box = StateBox { value } }

    public init(initialValue value: Value) { box = StateBox { value } }

    public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.current = newValue }
    }

    public var projectedValue: Binding<Value> { box.binding }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: BoundProperty {
    let box: StateBox<ObjectType>

    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = StateBox(thunk) }

    @MainActor @preconcurrency public var wrappedValue: ObjectType { box.current }

    @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
        ObservedObject.Wrapper(object: box.current)
    }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}

@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void

    private init(
        _ store: UserDefaults?,
        _ key: String,
        _ first: Value,
        _ read: @escaping (Any) -> Value?,
        _ plain: @escaping (Value) -> Any?
    ) {
        let store = store ?? .standard
        self.read = { store.object(forKey: key).flatMap(read) ?? first }
        write = { store.set(plain($0), forKey: key) }
    }

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    public var projectedValue: Binding<Value> { Binding(identity: nil, get: read, set: write) }
}

extension AppStorage {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(store, key, wrappedValue, { $0 as? Bool }, { $0 })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(store, key, wrappedValue, { $0 as? Int }, { $0 })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(store, key, wrappedValue, { $0 as? Double }, { $0 })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(store, key, wrappedValue, { $0 as? String }, { $0 })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(store, key, wrappedValue, { $0 as? Data }, { $0 })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(store, key, wrappedValue, { ($0 as? Int).flatMap(Value.init) }, { $0.rawValue })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(store, key, wrappedValue, { ($0 as? String).flatMap(Value.init) }, { $0.rawValue })
    }
}

/// The focus of a view. It keeps the value that the app sets, because a page has no input fields.
@propertyWrapper
public struct FocusState<Value: Hashable>: BoundProperty {
    @propertyWrapper
    public struct Binding {
        let binding: SwiftUICore.Binding<Value>

        public var wrappedValue: Value {
            get { binding.wrappedValue }
            nonmutating set { binding.wrappedValue = newValue }
        }

        public var projectedValue: Binding { self }
    }

    let box: StateBox<Value>

    public init() where Value == Bool { box = StateBox { false } }

    public init<T: Hashable>() where Value == T? { box = StateBox { nil } }

    public var wrappedValue: Value {
        get { box.current }
        nonmutating set { box.current = newValue }
    }

    public var projectedValue: Binding { Binding(binding: box.binding) }

    func bind(to page: PageWriter, _ number: Int) { box.keep(at: page.place, number) }
}

extension FocusState: Sendable where Value: Sendable {}

extension View {
    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value)
        -> some View
    { self }

    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
    public func focusable(_ isFocusable: Bool = true) -> some View { self }
    public func onSubmit(_ action: @escaping () -> Void) -> some View { self }
}

public protocol DynamicProperty {
    /// Called before the view's body is evaluated.
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

/// A property wrapper of this module. It receives the place of its view before the body is evaluated.
@MainActor
protocol BoundProperty: DynamicProperty {
    /// Binds the property to the current place. `number` distinguishes the properties of one view.
    func bind(to page: PageWriter, _ number: Int) throws
}

/// Finds the property wrappers of views and binds them to their place.
@MainActor
final class PropertyBinder {
    private static let depthMax = 8

    /// The types without such properties, for which reflection is skipped.
    private var plain: Set<ObjectIdentifier> = []

    func bind<Value>(_ value: Value, to page: PageWriter) throws {
        let type = ObjectIdentifier(Value.self)
        guard !plain.contains(type) else { return }
        var number = 0
        let mirror = Mirror(reflecting: value)
        try visit(mirror, page: page, number: &number, depth: 0)
        // The properties of an enumeration depend on its case.
        if number == 0, mirror.displayStyle == .struct { plain.insert(type) }
    }

    private func visit(_ mirror: Mirror, page: PageWriter, number: inout Int, depth: Int) throws {
        guard depth < Self.depthMax else { return }
        for child in mirror.children {
            guard var property = child.value as? any DynamicProperty else { continue }
            number += 1
            if let bound = property as? any BoundProperty {
                try bound.bind(to: page, number)
            } else {
                try visit(Mirror(reflecting: property), page: page, number: &number, depth: depth + 1)
                property.update()
            }
        }
    }
}

/// A value that is kept as long as the place of its view.
///
/// Each evaluation creates views with new boxes. `keep` redirects a new box to the original box of the place.
final class StateBox<Value>: @unchecked Sendable {
    // @unchecked: the lock guards all state.
    private let lock = NSLock()
    private let first: () -> Value
    private var value: Value?
    private var kept: StateBox?
    private weak var home: ViewPlace?

    init(_ first: @escaping () -> Value) { self.first = first }

    /// The box that contains the value.
    var real: StateBox { lock.withLock { kept } ?? self }

    var current: Value {
        get {
            let real = real
            if let value = real.lock.withLock({ real.value }) { return value }
            let made = real.first()
            return real.lock.withLock {
                if let value = real.value { return value }
                real.value = made
                return made
            }
        }
        set {
            let real = real
            real.lock.withLock { real.value = newValue }
        }
    }

    /// Redirects to the box of the place. The first box of a place becomes that box.
    @MainActor
    func keep(at place: ViewPlace, _ number: Int) {
        let box = place.slot(number) { home == nil ? self : StateBox(first) }
        if box === self { home = place }
        lock.withLock { kept = box === self ? nil : box }
    }

    var binding: Binding<Value> {
        let real = real
        return Binding(
            identity: BindingIdentity(object: ObjectIdentifier(real)),
            get: { real.current },
            set: { real.current = $0 }
        )
    }
}
