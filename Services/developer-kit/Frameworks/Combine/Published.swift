import Synchronization

/// Announces changes of a property of a class.
///
/// `$name` sends the current value to a new subscriber, and each later value just before the property has it.
@propertyWrapper
public struct Published<Value> {
    let storage: PublishedStorage<Value>

    public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

    public init(initialValue: Value) { storage = PublishedStorage(initialValue) }

    /// Only gives the compiler a message for properties of structs.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// Settable, because `assign(to:)` reaches the property through it.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set {
            // `assign(to:)` sets what it got; only another property's publisher is news.
            if newValue.storage !== storage { storage.follow(newValue) }
        }
    }

    /// The compiler reads and writes the property through this.
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

// @unchecked: the storage has its lock.
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
        // Subscribers hear of it first and still read the old value, as with Apple's.
        set { hub.announce(newValue) }
    }

    /// Sets the property to a publisher's values, as long as the property lives.
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

/// The publishers of objects that have none of their own.
///
/// They are kept here rather than in the `@Published` properties, because finding those from their object
/// takes reflection, which would read every other property, too. Neither the object nor the publisher is kept
/// alive: subscribers keep the publisher.
private final class ObservedObjects: @unchecked Sendable {
    // @unchecked: the table is read and written under `lock`.
    static let shared = ObservedObjects()

    /// With fewer entries, entries of objects that are gone stay.
    private static let pruneFrom = 64

    private struct Entry {
        weak var object: AnyObject?
        weak var publisher: ObservableObjectPublisher?
    }

    private let lock = Lock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var pruneAt = ObservedObjects.pruneFrom
    /// Makes a change cost nothing in a process without observers.
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
