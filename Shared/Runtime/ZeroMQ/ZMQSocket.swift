package import STBus
import STCZeroMQ
import STPlatform

/// The one libzmq context of the process. Contexts are thread-safe, but sockets are not.
package final class ZMQContext: @unchecked Sendable {
    // @unchecked: the handle is set once, and libzmq guards its contents.
    let handle: UnsafeMutableRawPointer

    package init() throws {
        guard let handle = zmq_ctx_new() else { throw ZMQProblem.last("zmq_ctx_new") }
        self.handle = handle
        // One I/O thread is faster than this system will ever need, and each further thread costs memory in every process.
        zmq_ctx_set(handle, ZMQ_IO_THREADS, 1)
        zmq_ctx_set(handle, ZMQ_BLOCKY, 0)
    }

    /// Waits until the last messages have been sent. All sockets must have been closed before.
    package func terminate() {
        while zmq_ctx_term(handle) != 0 && zmq_errno() == EINTR {}
    }
}

/// A socket. It must be created, used and closed on one thread, the bus thread.
package final class ZMQSocket {
    package enum Kind: Sendable {
        case router, dealer, publisher, subscriber

        var number: Int32 {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher: ZMQ_XPUB
            case .subscriber: ZMQ_SUB
            }
        }
    }

    package enum Sent: Sendable, Equatable {
        case done
        /// There is no room, or no peer yet.
        case full
        /// The peer of a ROUTER's reply is gone.
        case gone
    }

    package struct Message: Sendable {
        package var frames: [[UInt8]]
        /// The sender, as attested by the kernel on ipc and by the door on tcp.
        package var principal: Principal
        package var frameCount: Int
    }

    let handle: UnsafeMutableRawPointer
    /// True if the socket was used since it was last found empty. Its descriptor may then not report waiting messages.
    var needsLook = true
    /// True while a message waits until the socket accepts it.
    var wantsWrite = false

    package convenience init(_ context: ZMQContext, _ kind: Kind) throws {
        try self.init(context, number: kind.number)
    }

    init(_ context: ZMQContext, number: Int32) throws {
        guard let handle = zmq_socket(context.handle, number) else { throw ZMQProblem.last("zmq_socket") }
        self.handle = handle
    }

    package func close() { zmq_close(handle) }

    // MARK: - Options

    func set(_ option: Int32, _ value: Int32) throws {
        var value = value
        guard zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw ZMQProblem.last("zmq_setsockopt \(option)")
        }
    }

    func set(_ option: Int32, long value: Int64) throws {
        var value = value
        guard zmq_setsockopt(handle, option, &value, MemoryLayout<Int64>.size) == 0 else {
            throw ZMQProblem.last("zmq_setsockopt \(option)")
        }
    }

    func set(_ option: Int32, bytes: [UInt8]) throws {
        guard zmq_setsockopt(handle, option, bytes, bytes.count) == 0 else {
            throw ZMQProblem.last("zmq_setsockopt \(option)")
        }
    }

    func unbind(_ endpoint: String) { zmq_unbind(handle, endpoint) }

    package func bind(_ endpoint: String) throws {
        guard zmq_bind(handle, endpoint) == 0 else { throw ZMQProblem.last("Binding \(endpoint)") }
    }

    package func connect(_ endpoint: String) throws {
        guard zmq_connect(handle, endpoint) == 0 else { throw ZMQProblem.last("Connecting to \(endpoint)") }
    }

    package func subscribe(_ topic: String) throws {
        let bytes = Array(topic.utf8)
        guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, bytes, bytes.count) == 0 else {
            throw ZMQProblem.last("Subscribing to \(topic)")
        }
    }

    /// Ends one subscription. It must be called as often as `subscribe`.
    func unsubscribe(_ topic: String) {
        let bytes = Array(topic.utf8)
        zmq_setsockopt(handle, ZMQ_UNSUBSCRIBE, bytes, bytes.count)
    }

    /// A descriptor that becomes readable if something about the socket may have changed.
    var descriptor: Int32 {
        var value: Int32 = -1
        var size = MemoryLayout<Int32>.size
        zmq_getsockopt(handle, ZMQ_FD, &value, &size)
        return value
    }

    var isWritable: Bool {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        zmq_getsockopt(handle, ZMQ_EVENTS, &value, &size)
        return value & ZMQ_POLLOUT != 0
    }

    // MARK: - Messages

    package func send(_ frames: [[UInt8]]) -> Sent {
        needsLook = true
        for (index, frame) in frames.enumerated() {
            let flags = ZMQ_DONTWAIT | (index < frames.count - 1 ? ZMQ_SNDMORE : 0)
            var result: Int32
            repeat {
                result = frame.withUnsafeBytes { zmq_send(handle, $0.baseAddress, $0.count, flags) }
            } while result < 0 && zmq_errno() == EINTR
            // Only the first frame can be refused. After that, libzmq accepts the rest of the message.
            if result < 0 { return zmq_errno() == EHOSTUNREACH ? .gone : .full }
        }
        return .done
    }

    /// Returns the next message, or nil if there is none.
    ///
    /// At most `frameLimit` frames are kept. The rest is read and dropped, because a message can only be received completely.
    package func receive(frameLimit: Int, wantsPeer: Bool = false) -> Message? {
        needsLook = true
        var message = Message(frames: [], principal: .unknown, frameCount: 0)
        var part = zmq_msg_t()
        while true {
            zmq_msg_init(&part)
            defer { zmq_msg_close(&part) }
            var result: Int32
            repeat {
                result = zmq_msg_recv(&part, handle, ZMQ_DONTWAIT)
            } while result < 0 && zmq_errno() == EINTR
            if result < 0 {
                needsLook = false
                return nil
            }
            message.frameCount += 1
            if message.frames.count < frameLimit {
                let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: zmq_msg_size(&part))
                message.frames.append([UInt8](bytes))
            }
            // Not from the first frame: after a poll, the routing id has no metadata in libzmq 4.3.4.
            if wantsPeer, message.frameCount == 2, let text = zmq_msg_gets(&part, "Peer-Address") {
                message.principal = Principal(peerAddress: text) ?? remote(&part)
            }
            if zmq_msg_more(&part) == 0 { return message }
        }
    }
}

extension ZMQSocket {
    /// Returns the machine that the door admitted when the connection was made.
    private func remote(_ part: inout zmq_msg_t) -> Principal {
        guard let text = zmq_msg_gets(&part, "User-Id"),
            let remote = Principal.Remote(userID: String(cString: text))
        else { return .unknown }
        return Principal(remote)
    }
}

/// Converts libzmq's errors to problems.
enum ZMQProblem {
    static func last(_ call: String) -> Problem {
        let number = zmq_errno()
        let text = zmq_strerror(number).map { String(cString: $0) } ?? "error \(number)"
        return Problem(
            "bus.socket_failed",
            "\(call, "call") failed: \(text, "text")",
            details: ["errno": String(number)]
        )
    }
}
