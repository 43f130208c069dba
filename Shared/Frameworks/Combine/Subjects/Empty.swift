/// No value, and the end at once or never.
public struct Empty<Output, Failure: Error>: Publisher {
    /// Whether it ends at once.
    public let completeImmediately: Bool

    /// One that ends at once, unless told otherwise.
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    /// Tells the subscriber that nothing will come.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let hub = Hub<Output, Failure>()
        if completeImmediately { hub.finish(.finished) }
        hub.attach(subscriber)
    }
}
