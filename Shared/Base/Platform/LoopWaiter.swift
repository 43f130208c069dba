/// What a loop thread blocks in.
///
/// `PollWaiter` waits for file descriptors; the bus has one that waits for sockets too.
package protocol LoopWaiter: AnyObject {
    func watch(descriptor: Int32, _ onReadable: @escaping () -> Void)
    func unwatch(descriptor: Int32)

    /// Blocks for at most `timeoutMs` (-1: until something happens) and calls the handlers of what became ready.
    func wait(timeoutMs: Int)
}
