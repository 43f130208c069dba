/// The parts of a report, one after the other.
///
/// They are asked for as they are needed, page by page. Each iteration starts again at the first.
public struct DeviceActivityResults<Element>: AsyncSequence, Sendable {
    /// It ends; it never fails.
    public typealias Failure = Never

    package typealias Step = () async -> Element?

    private let begin: @Sendable () -> Step

    /// `begin` starts one iteration.
    package init(_ begin: @escaping @Sendable () -> Step) { self.begin = begin }

    package init(_ elements: @escaping @Sendable () -> [Element]) {
        self.init {
            var left = elements().makeIterator()
            return { left.next() }
        }
    }

    /// Starts at the first.
    public func makeAsyncIterator() -> Iterator { Iterator(begin()) }

    /// One way through the results.
    public final class Iterator: AsyncIteratorProtocol {
        /// It ends; it never fails.
        public typealias Failure = Never

        private var step: Step?

        init(_ step: @escaping Step) { self.step = step }

        /// The next one, or nil after the last.
        public func next() async -> Element? { await advance() }

        /// The next one, or nil after the last.
        public func next(isolation actor: isolated (any Actor)?) async -> Element? { await advance() }

        private nonisolated(nonsending) func advance() async -> Element? {
            // Once over it stays over, also when somebody asks again.
            guard let step, let element = await step() else {
                step = nil
                return nil
            }
            return element
        }
    }
}
