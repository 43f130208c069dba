/// The state shared by all subjects: their subscribers and their completion.
///
/// `current` is the first value that a new subscriber receives. It is `nil` in a subject without state.
final class Hub<Output, Failure: Error>: @unchecked Sendable {
    // @unchecked: `lock` guards all state. The sender is responsible for the thread safety of the values.
    private let lock = Lock()
    private var conduits: [Conduit<Output, Failure>] = []
    private var completion: Subscribers.Completion<Failure>?
    private var value: Output?
    /// The number of announcements begun, and the number of the latest announcement whose value is stored.
    private var turns: UInt64 = 0
    private var keptTurn: UInt64 = 0
    private let keepsLatest: Bool

    init() { keepsLatest = false }

    init(current: Output) {
        value = current
        keepsLatest = true
    }

    var current: Output? { lock.withLock { value } }

    func attach<S: Subscriber>(_ subscriber: S, holding owner: AnyObject? = nil)
    where S.Input == Output, S.Failure == Failure {
        let place = Place<Output, Failure>()
        let conduit = Conduit(Downstream(subscriber), keepsLatest: keepsLatest) {
            withExtendedLifetime(owner) {
                if let conduit = place.conduit { self.detach(conduit) }
            }
        }
        place.conduit = conduit
        let ended = lock.withLock {
            if completion == nil { conduits.append(conduit) }
            if completion == nil, let value { conduit.put(value) }
            return completion
        }
        subscriber.receive(subscription: conduit)
        if let ended {
            conduit.put(completion: ended)
            conduit.deliver()
        }
    }

    /// Sends a value to all subscribers. A subject with state stores the value before the subscribers receive it.
    func send(_ value: Output) {
        let targets = lock.withLock { () -> [Conduit<Output, Failure>] in
            if keepsLatest && completion == nil { self.value = value }
            return put(value, on: conduits)
        }
        for conduit in targets { conduit.deliver() }
    }

    /// Sends a value to all subscribers, then stores it, as a `@Published` property does.
    func announce(_ value: Output) {
        let (turn, targets) = lock.withLock {
            turns += 1
            return (turns, put(value, on: conduits))
        }
        for conduit in targets { conduit.deliver() }
        let late = lock.withLock { () -> [Conduit<Output, Failure>] in
            // Keep a later value that another thread or a subscriber has set in the meantime.
            guard turn > keptTurn else { return [] }
            keptTurn = turn
            self.value = value
            // A subscriber that was attached in the meantime received the old value.
            return put(value, on: conduits.filter { new in !targets.contains { $0 === new } })
        }
        for conduit in late { conduit.deliver() }
    }

    private func put(
        _ value: Output,
        on conduits: [Conduit<Output, Failure>]
    ) -> [Conduit<Output, Failure>] {
        guard completion == nil else { return [] }
        for conduit in conduits { conduit.put(value) }
        return conduits
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let targets = lock.withLock { () -> [Conduit<Output, Failure>] in
            guard self.completion == nil else { return [] }
            self.completion = completion
            defer { conduits = [] }
            for conduit in conduits { conduit.put(completion: completion) }
            return conduits
        }
        for conduit in targets { conduit.deliver() }
    }

    private func detach(_ conduit: Conduit<Output, Failure>) {
        lock.withLock { conduits.removeAll { $0 === conduit } }
    }
}

/// A reference that a closure holds before the conduit exists.
private final class Place<Output, Failure: Error> {
    weak var conduit: Conduit<Output, Failure>?
}

/// The connection from a subject to one of its subscribers.
///
/// Any thread can send values. The conduit delivers them in order and one at a time: if another thread is already delivering, it
/// also delivers the new value. No lock is held while the subscriber's code runs.
final class Conduit<Output, Failure: Error>: Subscription {
    private enum Parcel {
        case value(Output)
        case completion(Subscribers.Completion<Failure>)
    }

    private let lock = Lock()
    private var downstream: Downstream<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var queue: [Parcel] = []
    /// The latest value of a subject with state, for the next request.
    private var latest: Output?
    private let keepsLatest: Bool
    private var isDelivering = false
    /// Detaches the conduit from its subject. It also keeps the subject alive while there is a subscriber.
    private var leave: (() -> Void)?

    init(_ downstream: Downstream<Output, Failure>, keepsLatest: Bool, leave: @escaping () -> Void) {
        self.downstream = downstream
        self.keepsLatest = keepsLatest
        self.leave = leave
    }

    /// Queues a value. `deliver` sends it.
    ///
    /// The two steps are separate so that a subject can queue a value for all its subscribers under its lock. All subscribers
    /// then receive values in the same order.
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

/// A subscriber with its type erased.
struct Downstream<Input, Failure: Error> {
    let value: (Input) -> Subscribers.Demand
    let completion: (Subscribers.Completion<Failure>) -> Void

    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        value = { subscriber.receive($0) }
        completion = { subscriber.receive(completion: $0) }
    }
}
