import STContracts
import STFoundationTypes
import STPlatform

/// What an app reads: it is told when something is missing.
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
