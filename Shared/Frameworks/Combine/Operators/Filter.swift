extension Publishers {
    /// Leaves out what does not fit.
    public struct Filter<Upstream: Publisher>: Publisher {
        /// As the one it is made from.
        public typealias Output = Upstream.Output

        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// Says what fits.
        public let isIncluded: (Upstream.Output) -> Bool

        /// One that asks the closure.
        public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Step(subscriber) { isIncluded($0) ? .some($0) : nil })
        }
    }

    /// Leaves out a value that is the same as the one before.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        /// As the one it is made from.
        public typealias Output = Upstream.Output

        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// Says what is the same.
        public let predicate: (Output, Output) -> Bool

        /// One that asks the closure.
        public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last: Output?
            upstream.subscribe(
                Step(subscriber) { value in
                    if let before = last, predicate(before, value) { return nil }
                    last = value
                    return value
                }
            )
        }
    }

    /// Leaves out the first ones.
    public struct Drop<Upstream: Publisher>: Publisher {
        /// As the one it is made from.
        public typealias Output = Upstream.Output

        /// As the one it is made from.
        public typealias Failure = Upstream.Failure

        /// The one it is made from.
        public let upstream: Upstream

        /// How many.
        public let count: Int

        /// One that leaves out so many.
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        /// Takes on a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var left = count
            upstream.subscribe(
                Step(subscriber) { value in
                    guard left > 0 else { return value }
                    left -= 1
                    return nil
                }
            )
        }
    }
}

extension Publisher {
    /// Leaves out what does not fit.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }

    /// Leaves out a value that the closure says is the same as the one before.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }

    /// Leaves out the first values, one unless told otherwise.
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        Publishers.Drop(upstream: self, count: count)
    }
}

extension Publisher where Output: Equatable {
    /// Leaves out a value that equals the one before.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: ==)
    }
}
