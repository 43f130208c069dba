public import Dispatch
public import Foundation

public protocol Scheduler {
    associatedtype SchedulerOptions

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

/// Work that is passed to another thread.
private struct Parcel: @unchecked Sendable {
    // @unchecked: one thread creates it and another thread runs it, as the caller requested.
    let action: () -> Void
}

extension DispatchQueue: Scheduler {
    public struct SchedulerOptions: Sendable { public init() {} }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        async { parcel.action() }
    }
}

extension RunLoop: Scheduler {
    public struct SchedulerOptions: Sendable { public init() {} }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        perform { parcel.action() }
    }
}

extension OperationQueue: Scheduler {
    public struct SchedulerOptions: Sendable { public init() {} }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        addOperation { parcel.action() }
    }
}

extension Publishers {
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let scheduler: Context
        public let options: Context.SchedulerOptions?

        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let move = { (action: @escaping () -> Void) in
                scheduler.schedule(options: options, action)
            }
            upstream.subscribe(Relocation(subscriber, move))
        }
    }
}

extension Publisher {
    public func receive<S: Scheduler>(
        on scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.ReceiveOn<Self, S> {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}

/// A subscriber that receives on one thread and delivers on a scheduler.
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
