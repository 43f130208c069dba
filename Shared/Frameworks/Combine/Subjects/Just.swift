/// One value, and the end.
public struct Just<Output>: Publisher {
    /// It cannot fail.
    public typealias Failure = Never

    /// The value.
    public let output: Output

    /// One that sends this.
    public init(_ output: Output) { self.output = output }

    /// Sends it once it is asked for.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let hub = Hub<Output, Never>(current: output)
        hub.attach(JustOnce(subscriber))
    }
}

/// Ends after one value.
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
