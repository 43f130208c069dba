import Synchronization

/// A property of a class that publishes its changes.
///
/// `$name` sends the current value to a new subscriber. It sends each later value just before the property changes.
@propertyWrapper
public struct Published<Value> {
    let storage: PublishedStorage<Value>

    public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

    public init(initialValue: Value) { storage = PublishedStorage(initialValue) }

    /// Makes the compiler report an error if the wrapper is used in a struct.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// The publisher of the property. It is settable, because `assign(to:)` reaches the property through it.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set {
            // `assign(to:)` writes the same publisher back. Only the publisher of another property is a change.
            if newValue.storage !== storage { storage.follow(newValue) }
        }
    }

    /// The accessor that the compiler calls to read and write the property.
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

    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never

        let storage: PublishedStorage<Value>

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.hub.attach(subscriber)
        }
    }
}

// @unchecked: a lock guards the storage.
extension Published: @unchecked Sendable where Value: Sendable {}
extension Published.Publisher: @unchecked Sendable where Value: Sendable {}

/// The value of a `@Published` property and its subscribers.
final class PublishedStorage<Value> {
    let hub: Hub<Value, Never>
    private let first: Value
    private let lock = Lock()
    private var feeds: [AnyCancellable] = []

    init(_ value: Value) {
        first = value
        hub = Hub(current: value)
    }

    var value: Value {
        get { hub.current ?? first }
        // Subscribers receive the value first and still read the old value, as in Apple's implementation.
        set { hub.announce(newValue) }
    }

    /// Sets the property to each value of a publisher, while the property exists.
    func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        let feed = publisher.sink { [weak self] in self?.value = $0 }
        lock.withLock { feeds.append(feed) }
    }
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher { ObservedObjects.shared.publisher(of: self) }
}

public final class ObservableObjectPublisher: Publisher, Sendable {
    public typealias Output = Void
    public typealias Failure = Never

    private let hub = Hub<Void, Never>()

    public init() {}

    public func send() { hub.send(()) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        hub.attach(subscriber, holding: self)
    }
}

/// The publishers of objects that do not declare their own `objectWillChange`.
///
/// This table is separate from the `@Published` properties, because finding those from their object requires reflection, which
/// would also read every other property. The table keeps neither the object nor the publisher alive. Subscribers keep the
/// publisher alive.
private final class ObservedObjects: @unchecked Sendable {
    // @unchecked: `lock` guards the table.
    static let shared = ObservedObjects()

    /// The number of entries from which entries of released objects are removed.
    private static let pruneFrom = 64

    private struct Entry {
        weak var object: AnyObject?
        weak var publisher: ObservableObjectPublisher?
    }

    private let lock = Lock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var pruneAt = ObservedObjects.pruneFrom
    /// False until a publisher is requested. A change then costs nothing in a process without observers.
    private let isUsed = Atomic(false)

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        let key = ObjectIdentifier(object)
        return lock.withLock {
            if let entry = entries[key], entry.object === object, let publisher = entry.publisher {
                return publisher
            }
            let publisher = ObservableObjectPublisher()
            entries[key] = Entry(object: object, publisher: publisher)
            isUsed.store(true, ordering: .releasing)
            if entries.count >= pruneAt {
                entries = entries.filter { $0.value.object != nil && $0.value.publisher != nil }
                pruneAt = max(Self.pruneFrom, entries.count * 2)
            }
            return publisher
        }
    }

    func willChange(_ object: AnyObject) {
        guard isUsed.load(ordering: .acquiring) else { return }
        let publisher = lock.withLock { () -> ObservableObjectPublisher? in
            guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
            return entry.publisher
        }
        publisher?.send()
    }
}
