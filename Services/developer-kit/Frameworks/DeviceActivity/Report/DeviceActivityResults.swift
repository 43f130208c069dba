import STContracts
import STFoundationTypes
import STPlatform

/// The elements of a report, requested page by page when they are needed. Each iteration starts at the first element.
public struct DeviceActivityResults<Element>: AsyncSequence, Sendable {
    public typealias Failure = Never

    package typealias Step = () async -> Element?

    private let begin: @Sendable () -> Step

    /// Creates the results. `begin` starts one iteration.
    package init(_ begin: @escaping @Sendable () -> Step) { self.begin = begin }

    package init(_ elements: @escaping @Sendable () -> [Element]) {
        self.init {
            var left = elements().makeIterator()
            return { left.next() }
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(begin()) }

    public final class Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        private var step: Step?

        init(_ step: @escaping Step) { self.step = step }

        public func next() async -> Element? { await advance() }

        public func next(isolation actor: isolated (any Actor)?) async -> Element? { await advance() }

        private nonisolated(nonsending) func advance() async -> Element? {
            // After its end, the iterator always returns `nil`.
            guard let step, let element = await step() else {
                step = nil
                return nil
            }
            return element
        }
    }
}

/// The sequence that apps receive. It throws if data is missing.
struct ThrowingActivityData: AsyncSequence, Sendable {
    typealias Element = DeviceActivityData
    typealias Failure = any Error

    let filter: ReportFilter
    let ask: ReportPages.Ask

    func makeAsyncIterator() -> Iterator {
        let pages = ReportPages(filter: filter, ask: ask)
        return Iterator(pages: pages, inner: pages.results.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let pages: ReportPages
        let inner: DeviceActivityResults<DeviceActivityData>.Iterator

        func next() async throws -> DeviceActivityData? {
            let next = await inner.next()
            if let problem = pages.problem { throw DeviceActivityData.Error.of(problem) }
            return next
        }
    }
}
