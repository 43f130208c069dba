/// A property that tells when it changes.
///
/// In a class only. `$name` is the publisher of the property `name`: it sends the value of now to a new subscriber, and
/// each later one just before the property has it.
@propertyWrapper
public struct Published<Value> {
    let storage: PublishedStorage<Value>

    /// Begins with this value.
    public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

    /// Begins with this value.
    public init(initialValue: Value) { storage = PublishedStorage(initialValue) }

    /// Only there to say that a struct cannot have such a property.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The publisher of the property.
    ///
    /// It can be set, which is how `assign(to:)` reaches it.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set {
            // `assign(to:)` sets what it got; only another property's publisher is news.
            if newValue.storage !== storage { storage.follow(newValue) }
        }
    }

    /// How the compiler reads and writes the property of an object.
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage place: ReferenceWritableKeyPath<Object, Published<Value>>
    ) -> Value {
        get { object[keyPath: place].storage.value }
        set {
            ObservedObjects.shared.willChange(object)
            object[keyPath: place].storage.value = newValue
        }
    }

    /// The publisher of a property.
    public struct Publisher: Combine.Publisher {
        /// The property's values.
        public typealias Output = Value

        /// It cannot fail.
        public typealias Failure = Never

        let storage: PublishedStorage<Value>

        /// Takes on a subscriber, which gets the value of now first.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.hub.attach(subscriber)
        }
    }
}

// @unchecked: the storage has its lock.
extension Published: @unchecked Sendable where Value: Sendable {}
extension Published.Publisher: @unchecked Sendable where Value: Sendable {}
