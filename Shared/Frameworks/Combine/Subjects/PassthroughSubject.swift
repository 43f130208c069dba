/// Passes on what is put in, and keeps nothing.
///
/// A subscriber that asked for no more values misses what comes meanwhile.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let hub = Hub<Output, Failure>()

    /// One without subscribers.
    public init() {}

    /// Sends a value to all subscribers.
    public func send(_ value: Output) { hub.send(value) }

    /// Tells all subscribers that nothing more will come.
    public func send(completion: Subscribers.Completion<Failure>) { hub.finish(completion) }

    /// Takes on a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        hub.attach(subscriber, holding: self)
    }
}

// @unchecked: all state is in the hub, which has its lock.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
