/// The value of a `@Published` property, and who follows it.
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

    /// Takes on the values of a publisher, as long as the property lives.
    func follow<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        let feed = publisher.sink { [weak self] in self?.value = $0 }
        lock.withLock { feeds.append(feed) }
    }
}
