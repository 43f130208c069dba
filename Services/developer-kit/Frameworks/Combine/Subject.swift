public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)

    func send(completion: Subscribers.Completion<Failure>)

    func send(subscription: any Subscription)
}

extension Subject {
    public func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

extension Subject where Output == Void {
    public func send() { send(()) }
}

/// A subject without state. A subscriber without demand does not receive the values sent in the meantime.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let hub = Hub<Output, Failure>()

    public init() {}

    public func send(_ value: Output) { hub.send(value) }

    public func send(completion: Subscribers.Completion<Failure>) { hub.finish(completion) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        hub.attach(subscriber, holding: self)
    }
}

// @unchecked: the hub contains all state and guards it with a lock.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let hub: Hub<Output, Failure>
    private let first: Output

    public init(_ value: Output) {
        first = value
        hub = Hub(current: value)
    }

    public var value: Output {
        get { hub.current ?? first }
        set { hub.send(newValue) }
    }

    public func send(_ value: Output) { hub.send(value) }

    public func send(completion: Subscribers.Completion<Failure>) { hub.finish(completion) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        hub.attach(subscriber, holding: self)
    }
}

// @unchecked: the hub contains all state and guards it with a lock.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}

public struct Just<Output>: Publisher {
    public typealias Failure = Never

    public let output: Output

    public init(_ output: Output) { self.output = output }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let hub = Hub<Output, Never>(current: output)
        hub.attach(JustOnce(subscriber))
    }
}

/// A subscription that ends after one value.
private final class JustOnce<Base: Subscriber>: Subscriber, Subscription where Base.Failure == Never {
    typealias Input = Base.Input
    typealias Failure = Never

    private let base: Base
    private let lock = Lock()
    private var upstream: (any Subscription)?

    init(_ base: Base) { self.base = base }

    func receive(subscription: any Subscription) {
        lock.withLock { upstream = subscription }
        base.receive(subscription: self)
    }

    func receive(_ input: Base.Input) -> Subscribers.Demand {
        _ = base.receive(input)
        if let upstream = take() {
            upstream.cancel()
            base.receive(completion: .finished)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}

    func request(_ demand: Subscribers.Demand) { lock.withLock { upstream }?.request(demand) }

    func cancel() { take()?.cancel() }

    private func take() -> (any Subscription)? {
        lock.withLock {
            defer { upstream = nil }
            return upstream
        }
    }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public let completeImmediately: Bool

    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let hub = Hub<Output, Failure>()
        if completeImmediately { hub.finish(.finished) }
        hub.attach(subscriber)
    }
}
