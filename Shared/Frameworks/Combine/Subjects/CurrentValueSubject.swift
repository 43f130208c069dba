/// A value that tells when it changes, beginning with what it is.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let hub: Hub<Output, Failure>
    private let first: Output

    /// One with this value.
    public init(_ value: Output) {
        first = value
        hub = Hub(current: value)
    }

    /// What it is now; setting it is sending it.
    public var value: Output {
        get { hub.current ?? first }
        set { hub.send(newValue) }
    }

    /// Changes the value and tells all subscribers.
    public func send(_ value: Output) { hub.send(value) }

    /// Tells all subscribers that nothing more will come.
    public func send(completion: Subscribers.Completion<Failure>) { hub.finish(completion) }

    /// Takes on a subscriber, which gets the value of now first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        hub.attach(subscriber, holding: self)
    }
}

// @unchecked: all state is in the hub, which has its lock.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
