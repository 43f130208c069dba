import Dispatch
import STClientLink

/// A completion handler on its way to where it is called: later, in order, never by whoever passed it.
struct Callback: @unchecked Sendable {
    // @unchecked: called once, by one thread; the caller knows that it comes from elsewhere.
    private static let queue = DispatchQueue(label: "screentime.notifications")

    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func call() {
        // A callback of an extension is over only when this is.
        OutstandingWork.shared.begin()
        Self.queue.async {
            self.body()
            OutstandingWork.shared.end()
        }
    }
}
