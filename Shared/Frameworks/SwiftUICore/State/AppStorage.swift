public import STFoundationGaps

/// A value that an app's settings keep.
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

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// For others to read and change it.
    public var projectedValue: Binding<Value> { Binding(identity: nil, get: read, set: write) }
}

extension AppStorage {
    /// Yes or no.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(store, key, wrappedValue, { $0 as? Bool }, { $0 })
    }

    /// A whole number.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(store, key, wrappedValue, { $0 as? Int }, { $0 })
    }

    /// A number.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(store, key, wrappedValue, { $0 as? Double }, { $0 })
    }

    /// Words.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(store, key, wrappedValue, { $0 as? String }, { $0 })
    }

    /// Bytes.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(store, key, wrappedValue, { $0 as? Data }, { $0 })
    }

    /// One of several whole numbers.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(store, key, wrappedValue, { ($0 as? Int).flatMap(Value.init) }, { $0.rawValue })
    }

    /// One of several words.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(store, key, wrappedValue, { ($0 as? String).flatMap(Value.init) }, { $0.rawValue })
    }
}
