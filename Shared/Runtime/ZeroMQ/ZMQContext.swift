import STCZeroMQ
import STPlatform

/// The one libzmq context of the process.
///
/// Contexts are thread safe; sockets are not.
package final class ZMQContext: @unchecked Sendable {
    // @unchecked: the handle is set once and libzmq guards what is behind it.
    let handle: UnsafeMutableRawPointer

    package init() throws {
        guard let handle = zmq_ctx_new() else { throw ZMQProblem.last("zmq_ctx_new") }
        self.handle = handle
        // One I/O thread moves more than this system will ever send, and each more costs memory in every process.
        zmq_ctx_set(handle, ZMQ_IO_THREADS, 1)
        zmq_ctx_set(handle, ZMQ_BLOCKY, 0)
    }

    /// Call once all sockets are closed; waits until what may linger has been sent.
    package func terminate() {
        while zmq_ctx_term(handle) != 0 && zmq_errno() == EINTR {}
    }
}
