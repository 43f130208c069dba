extension Subscribers {
    /// Wants everything, and calls two closures with it.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private let lock = Lock()
        private var subscription: (any Subscription)?
        private var isOver = false
        private let value: (Input) -> Void
        private let completion: (Completion<Failure>) -> Void

        /// One that calls these.
        public init(
            receiveCompletion: @escaping (Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            completion = receiveCompletion
            value = receiveValue
        }

        /// Asks for everything; a second subscription is called off.
        public func receive(subscription: any Subscription) {
            let isFirst = lock.withLock {
                guard self.subscription == nil, !isOver else { return false }
                self.subscription = subscription
                return true
            }
            if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        /// Hands the value over.
        public func receive(_ input: Input) -> Demand {
            if !lock.withLock({ isOver }) { value(input) }
            return .none
        }

        /// Hands the end over.
        public func receive(completion: Completion<Failure>) {
            let isFirst = lock.withLock {
                defer { isOver = true }
                subscription = nil
                return !isOver
            }
            if isFirst { self.completion(completion) }
        }

        /// Nothing is handed over from now on.
        public func cancel() {
            let subscription = lock.withLock {
                defer { self.subscription = nil }
                isOver = true
                return self.subscription
            }
            subscription?.cancel()
        }
    }
}
