extension Publishers {
    /// Makes something else of each value.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// What is done with each value.
        public let transform: (Upstream.Output) -> Output

        /// One that applies the closure.
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Step(subscriber) { .some(transform($0)) })
        }
    }

    /// Makes something else of each value, and leaves out what becomes nil.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// What is done with each value.
        public let transform: (Upstream.Output) -> Output?

        /// One that applies the closure.
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Step(subscriber, transform))
        }
    }
}

extension Publisher {
    /// Makes something else of each value.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    /// Takes one property of each value.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self) { $0[keyPath: keyPath] }
    }

    /// Makes something else of each value, and leaves out what becomes nil.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
}
