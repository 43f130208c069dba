/// What all subjects share: their subscribers, and their end.
///
/// `current` is the value that a new subscriber gets first; nil in a subject that has no state.
final class Hub<Output, Failure: Error>: @unchecked Sendable {
    // @unchecked: all is read and written under `lock`; the values themselves are the sender's business.
    private let lock = Lock()
    private var conduits: [Conduit<Output, Failure>] = []
    private var completion: Subscribers.Completion<Failure>?
    private var value: Output?
    /// Announcements begun, and the latest one whose value is kept.
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

    /// Tells everybody; a state has the value before anyone hears of it.
    func send(_ value: Output) {
        let targets = lock.withLock { () -> [Conduit<Output, Failure>] in
            if keepsLatest && completion == nil { self.value = value }
            return put(value, on: conduits)
        }
        for conduit in targets { conduit.deliver() }
    }

    /// Tells everybody first, and changes then, as a `@Published` property does.
    func announce(_ value: Output) {
        let (turn, targets) = lock.withLock {
            turns += 1
            return (turns, put(value, on: conduits))
        }
        for conduit in targets { conduit.deliver() }
        let late = lock.withLock { () -> [Conduit<Output, Failure>] in
            // Another thread, or a subscriber, has set a later one meanwhile, and that stays.
            guard turn > keptTurn else { return [] }
            keptTurn = turn
            self.value = value
            // Who came in between was given the old value.
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

/// Where a conduit can be found by the closure that was made before it.
private final class Place<Output, Failure: Error> {
    weak var conduit: Conduit<Output, Failure>?
}
