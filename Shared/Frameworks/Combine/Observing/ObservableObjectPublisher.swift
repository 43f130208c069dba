/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher, Sendable {
    /// Nothing but the fact.
    public typealias Output = Void

    /// It cannot fail.
    public typealias Failure = Never

    private let hub = Hub<Void, Never>()

    /// One without subscribers.
    public init() {}

    /// Tells all subscribers.
    public func send() { hub.send(()) }

    /// Takes on a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        hub.attach(subscriber, holding: self)
    }
}
