extension Publishers {
    /// Hands everything over somewhere else.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// As the one it is made from.
        public typealias Output = Upstream.Output

        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// Where.
        public let scheduler: Context

        /// What the place is told about each piece.
        public let options: Context.SchedulerOptions?

        /// One that hands over there.
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let move = { (action: @escaping () -> Void) in
                scheduler.schedule(options: options, action)
            }
            upstream.subscribe(Relocation(subscriber, move))
        }
    }
}

extension Publisher {
    /// Hands everything over on a queue or a run loop.
    public func receive<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}

/// Takes here and hands over there.
private final class Relocation<Downstream: Subscriber>: Subscriber, Subscription {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let lock = Lock()
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private let move: (@escaping () -> Void) -> Void

    init(_ downstream: Downstream, _ move: @escaping (@escaping () -> Void) -> Void) {
        self.downstream = downstream
        self.move = move
    }

    func receive(subscription: any Subscription) {
        let downstream = lock.withLock {
            upstream = subscription
            return self.downstream
        }
        downstream?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        move {
            guard let downstream = self.lock.withLock({ self.downstream }) else { return }
            let more = downstream.receive(input)
            if more > .none { self.request(more) }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        move {
            let downstream = self.lock.withLock {
                defer {
                    self.downstream = nil
                    self.upstream = nil
                }
                return self.downstream
            }
            downstream?.receive(completion: completion)
        }
    }

    func request(_ demand: Subscribers.Demand) { lock.withLock { upstream }?.request(demand) }

    func cancel() {
        let upstream = lock.withLock {
            defer {
                self.downstream = nil
                self.upstream = nil
            }
            return self.upstream
        }
        upstream?.cancel()
    }
}
