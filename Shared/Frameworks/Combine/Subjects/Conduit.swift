/// The way from a subject to one of its subscribers.
///
/// Values are handed over one at a time and in order, whichever threads they come from: a thread that finds another one
/// handing over leaves its value to that one. So no lock is held while a subscriber's code runs.
final class Conduit<Output, Failure: Error>: Subscription {
    private enum Parcel {
        case value(Output)
        case completion(Subscribers.Completion<Failure>)
    }

    private let lock = Lock()
    private var downstream: Downstream<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var queue: [Parcel] = []
    /// What is worth telling once somebody asks again: a state's latest value.
    private var latest: Output?
    private let keepsLatest: Bool
    private var isDelivering = false
    /// Keeps the subject, too, as long as somebody is subscribed.
    private var leave: (() -> Void)?

    init(_ downstream: Downstream<Output, Failure>, keepsLatest: Bool, leave: @escaping () -> Void) {
        self.downstream = downstream
        self.keepsLatest = keepsLatest
        self.leave = leave
    }

    /// Puts a value on its way; `deliver` hands it over.
    ///
    /// Two steps, so that a subject can put its value on all ways under its lock, which makes one order for everybody.
    func put(_ value: Output) {
        lock.withLock {
            guard downstream != nil else { return }
            if demand > .none {
                demand -= 1
                queue.append(.value(value))
            } else if keepsLatest {
                latest = value
            }
        }
    }

    func put(completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            if downstream != nil { queue.append(.completion(completion)) }
        }
    }

    func deliver() {
        while let (parcel, downstream) = next() {
            switch parcel {
            case .value(let value): add(downstream.value(value))
            case .completion(let completion):
                let leave = close()
                downstream.completion(completion)
                leave?()
            }
            lock.withLock { isDelivering = false }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        add(demand)
        deliver()
    }

    func cancel() { close()?() }

    private func next() -> (Parcel, Downstream<Output, Failure>)? {
        lock.withLock {
            guard !isDelivering, let downstream, !queue.isEmpty else { return nil }
            isDelivering = true
            return (queue.removeFirst(), downstream)
        }
    }

    private func add(_ more: Subscribers.Demand) {
        lock.withLock {
            demand += more
            if let value = latest, demand > .none, downstream != nil {
                latest = nil
                demand -= 1
                queue.append(.value(value))
            }
        }
    }

    private func close() -> (() -> Void)? {
        lock.withLock {
            downstream = nil
            queue = []
            latest = nil
            defer { leave = nil }
            return leave
        }
    }
}
