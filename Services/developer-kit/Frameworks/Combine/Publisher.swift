import Glibc

public protocol Publisher<Output, Failure> {
    associatedtype Output

    associatedtype Failure: Error

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        sink { completion in
            subject.send(completion: completion)
        } receiveValue: { value in
            subject.send(value)
        }
    }

    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink<Output, Failure>(
            receiveCompletion: receiveCompletion,
            receiveValue: receiveValue
        )
        subscribe(sink)
        return AnyCancellable(sink)
    }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink { _ in
        } receiveValue: { value in
            receiveValue(value)
        }
    }

    /// Assigns each value to a property. The subscription keeps the object alive.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>,
        on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Assigns each value to a `@Published` property, while that property exists.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.follow(self)
    }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let base: any Publisher<Output, Failure>

    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        base = publisher
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: subscriber)
    }
}

public enum Publishers {}

public protocol Cancellable {
    func cancel()
}

extension Cancellable {
    public func store(in set: inout Set<AnyCancellable>) { set.insert(kept) }

    public func store<C: RangeReplaceableCollection>(in collection: inout C)
    where C.Element == AnyCancellable {
        collection.append(kept)
    }

    private var kept: AnyCancellable { (self as? AnyCancellable) ?? AnyCancellable(self) }
}

public final class AnyCancellable: Cancellable, Hashable {
    private let lock = Lock()
    private var action: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { action = cancel }

    public init<C: Cancellable>(_ canceller: C) { action = canceller.cancel }

    deinit { cancel() }

    public func cancel() {
        let once = lock.withLock {
            let once = action
            action = nil
            return once
        }
        once?()
    }

    public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A mutex. It is held only briefly and never while a caller's code runs.
final class Lock: @unchecked Sendable {
    // @unchecked: the mutex is created once, and locking it is thread-safe.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
