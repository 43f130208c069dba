package import STBus
package import STPlatform

/// The bus thread of a process: its context, its sockets, and the executor of the actors that use them.
package final class BusLoop: Sendable {
    package let thread: LoopThread
    package let context: ZMQContext
    package let traffic = BusTraffic()

    package init(name: String = "bus") throws {
        context = try ZMQContext()
        thread = try LoopThread(name: name) { ZMQWaiter() }
    }

    /// Ends the thread and the context; every socket must have been closed on the thread before.
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
