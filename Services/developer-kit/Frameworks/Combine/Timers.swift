import Dispatch
public import Foundation

/// A publisher that sends nothing before `connect()` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    func connect() -> any Cancellable
}

extension ConnectablePublisher {
    public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
    /// A publisher that is connected while it has at least one subscriber.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        private let lock = Lock()
        private var subscribers = 0
        private var connection: (any Cancellable)?

        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Counted(subscriber) { self.leave() })
            let isFirst = lock.withLock {
                subscribers += 1
                return subscribers == 1
            }
            if isFirst {
                let made = upstream.connect()
                let hasLeft = lock.withLock {
                    if subscribers > 0 { connection = made }
                    return subscribers == 0
                }
                if hasLeft { made.cancel() }
            }
        }

        private func leave() {
            let last = lock.withLock { () -> (any Cancellable)? in
                subscribers -= 1
                guard subscribers == 0 else { return nil }
                defer { connection = nil }
                return connection
            }
            last?.cancel()
        }
    }
}

/// A subscriber that reports the end of its subscription.
private final class Counted<Base: Subscriber>: Subscriber, Subscription {
    private let base: Base
    private let lock = Lock()
    private var upstream: (any Subscription)?
    private var leave: (() -> Void)?

    init(_ base: Base, leave: @escaping () -> Void) {
        self.base = base
        self.leave = leave
    }

    func receive(subscription: any Subscription) {
        lock.withLock { upstream = subscription }
        base.receive(subscription: self)
    }

    func receive(_ input: Base.Input) -> Subscribers.Demand { base.receive(input) }

    func receive(completion: Subscribers.Completion<Base.Failure>) {
        base.receive(completion: completion)
        end()
    }

    func request(_ demand: Subscribers.Demand) { lock.withLock { upstream }?.request(demand) }

    func cancel() {
        lock.withLock { upstream }?.cancel()
        end()
    }

    private func end() {
        let once = lock.withLock {
            defer {
                leave = nil
                upstream = nil
            }
            return leave
        }
        once?()
    }
}

extension Timer {
    /// A publisher that sends the time on the main thread. It needs no run loop, because the main thread of an extension does not
    /// run one.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never

        public let interval: TimeInterval
        private let hub = Hub<Date, Never>()

        public init(interval: TimeInterval) { self.interval = interval }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            hub.attach(subscriber, holding: self)
        }

        public func connect() -> any Cancellable {
            let timer = DispatchSource.makeTimerSource(queue: .main)
            // Foundation's timers have the same minimum of a tenth of a millisecond.
            let interval = Swift.max(interval, 0.0001)
            timer.schedule(deadline: .now() + interval, repeating: interval)
            timer.setEventHandler { [hub] in hub.send(Date()) }
            timer.resume()
            return AnyCancellable { timer.cancel() }
        }
    }

    public static func publish(
        every interval: TimeInterval,
        tolerance: TimeInterval? = nil,
        on runLoop: RunLoop,
        in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval)
    }
}
