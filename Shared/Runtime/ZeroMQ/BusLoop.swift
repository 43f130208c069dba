package import STBus
package import STPlatform

/// The bus thread of a process: its libzmq context, its sockets, and the executor of the actors that use them.
///
/// A libzmq socket may be used on one thread only. All sockets of a process are therefore created, used and closed on `thread`. An
/// actor that owns sockets uses it as its executor:
///
/// ```swift
/// nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }
/// ```
///
/// Code on other threads posts its work to the thread:
///
/// ```swift
/// loop.thread.post { self.assumeIsolated { $0.start() } }
/// ```
package final class BusLoop: Sendable {
    package let thread: LoopThread
    package let context: ZMQContext
    package let traffic = BusTraffic()

    package init(name: String = "bus") throws {
        context = try ZMQContext()
        thread = try LoopThread(name: name) { ZMQWaiter() }
    }

    /// Ends the thread and the context. All sockets must have been closed on the thread before.
    package func stop() {
        thread.stop()
        thread.join()
        context.terminate()
    }

    var waiter: ZMQWaiter {
        guard let waiter = thread.currentWaiter as? ZMQWaiter else {
            preconditionFailure("a bus loop waits for sockets")
        }
        return waiter
    }
}
