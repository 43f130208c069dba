import Dispatch
import Foundation
import Synchronization

/// Does something on the main thread, and waits for it; or here, when the main thread does not come to it.
///
/// A program without a user interface may well block its main thread while it waits for the very thing that is to be told.
package enum MainDelivery {
    private static let patienceMs = 250

    package static func wait(_ work: @escaping @Sendable () -> Void) {
        if Thread.isMainThread { return work() }
        let once = Once(work)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            once.run()
            done.signal()
        }
        if done.wait(timeout: .now() + .milliseconds(patienceMs)) == .timedOut { once.run() }
    }

    private final class Once: Sendable {
        private let isDone = Atomic(false)
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        func run() {
            if !isDone.exchange(true, ordering: .acquiringAndReleasing) { work() }
        }
    }
}
