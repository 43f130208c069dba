/// An asynchronous sequence of a publisher's values. It requests a value only while a task awaits one, so values sent in between
/// are lost.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let publisher: P

    public init(_ publisher: P) { self.publisher = publisher }

    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    public struct Iterator: AsyncIteratorProtocol {
        private let turns: Turns<P.Output>

        init(_ publisher: P) {
            turns = Turns()
            publisher.subscribe(turns)
        }

        /// Returns the next value. Returns `nil` after the last value, or if the task is cancelled.
        public mutating func next() async -> P.Output? {
            let turns = turns
            return await withTaskCancellationHandler {
                await turns.next()
            } onCancel: {
                turns.cancel()
            }
        }
    }
}

extension Publisher where Failure == Never {
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

/// A subscriber that requests one value each time a task awaits one.
private final class Turns<Input>: Subscriber, @unchecked Sendable {
    // @unchecked: `lock` guards all state.
    typealias Failure = Never

    private let lock = Lock()
    private var subscription: (any Subscription)?
    private var waiting: CheckedContinuation<Parcel<Input>, Never>?
    private var isOver = false

    deinit { subscription?.cancel() }

    func receive(subscription: any Subscription) {
        let isOver = lock.withLock {
            if !self.isOver { self.subscription = subscription }
            return self.isOver
        }
        if isOver { subscription.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        take()?.resume(returning: Parcel(value: input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { cancel() }

    func cancel() {
        let (subscription, waiting) = lock.withLock {
            defer {
                isOver = true
                self.subscription = nil
                self.waiting = nil
            }
            return (self.subscription, self.waiting)
        }
        subscription?.cancel()
        waiting?.resume(returning: Parcel(value: nil))
    }

    func next() async -> Input? {
        await withCheckedContinuation { continuation in
            let subscription = lock.withLock { () -> (any Subscription)? in
                if !isOver { waiting = continuation }
                return isOver ? nil : self.subscription
            }
            guard let subscription else {
                if take() == nil { continuation.resume(returning: Parcel(value: nil)) }
                return
            }
            subscription.request(.max(1))
        }.value
    }

    private func take() -> CheckedContinuation<Parcel<Input>, Never>? {
        lock.withLock {
            defer { waiting = nil }
            return waiting
        }
    }
}

/// A value that is passed to the waiting task.
private struct Parcel<Value>: @unchecked Sendable {
    // @unchecked: one thread makes it and one task takes it.
    let value: Value?
}
