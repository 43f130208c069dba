import Glibc
import STCZeroMQ
package import STContracts
package import STPlatform
import STTestSupport

/// A libzmq socket that sends any frames, valid or invalid.
///
/// Each socket has its own context and is used by one thread at a time. libzmq allows it to move between threads.
package final class RawPeer: @unchecked Sendable {
    // @unchecked: a test passes it from one thread to the next and never shares it.
    package enum Kind: Sendable {
        case dealer, request, subscriber
        /// A SUB socket sends only valid subscriptions. An XSUB socket can send invalid ones.
        case rawSubscriber

        fileprivate var number: Int32 {
            switch self {
            case .dealer: ZMQ_DEALER
            case .request: ZMQ_REQ
            case .subscriber: ZMQ_SUB
            case .rawSubscriber: ZMQ_XSUB
            }
        }
    }

    private let context: UnsafeMutableRawPointer
    private let socket: UnsafeMutableRawPointer
    private var isClosed = false

    /// `path` is the path of the Unix socket.
    package init(_ kind: Kind, _ path: String, queuesWithoutPeer: Bool = true) throws {
        guard let context = zmq_ctx_new() else { throw Self.problem("zmq_ctx_new") }
        zmq_ctx_set(context, ZMQ_BLOCKY, 0)
        guard let socket = zmq_socket(context, kind.number) else {
            zmq_ctx_term(context)
            throw Self.problem("zmq_socket")
        }
        self.context = context
        self.socket = socket
        set(ZMQ_LINGER, 0)
        set(ZMQ_IMMEDIATE, queuesWithoutPeer ? 0 : 1)
        set(ZMQ_SNDHWM, 100_000)
        set(ZMQ_RCVHWM, 100_000)
        set(ZMQ_RECONNECT_IVL, 20)
        set(ZMQ_RECONNECT_IVL_MAX, 200)
        guard zmq_connect(socket, "ipc://\(path)") == 0 else { throw Self.problem("zmq_connect") }
    }

    deinit { close() }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        zmq_close(socket)
        while zmq_ctx_term(context) != 0 && zmq_errno() == EINTR {}
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        zmq_setsockopt(socket, option, &value, MemoryLayout<Int32>.size)
    }

    package func subscribe(_ topic: String) {
        let bytes = Array(topic.utf8)
        zmq_setsockopt(socket, ZMQ_SUBSCRIBE, bytes, bytes.count)
    }

    /// Returns false if there was no peer or no room in time. Nothing of the message was sent then.
    package func send(_ frames: [[UInt8]], withinMs: Int32 = 0) -> Bool {
        set(ZMQ_SNDTIMEO, withinMs)
        for (index, frame) in frames.enumerated() {
            let flags = index < frames.count - 1 ? ZMQ_SNDMORE : 0
            var result: Int32
            repeat {
                result = frame.withUnsafeBytes { zmq_send(socket, $0.baseAddress, $0.count, flags) }
            } while result < 0 && zmq_errno() == EINTR
            if result < 0 { return false }
        }
        return true
    }

    /// Returns the next message, or `nil` if none arrived in time.
    package func receive(withinMs: Int64 = 0) -> [[UInt8]]? {
        set(ZMQ_RCVTIMEO, Int32(clamping: max(0, withinMs)))
        var frames: [[UInt8]] = []
        var part = zmq_msg_t()
        while true {
            zmq_msg_init(&part)
            defer { zmq_msg_close(&part) }
            var result: Int32
            repeat { result = zmq_msg_recv(&part, socket, 0) } while result < 0 && zmq_errno() == EINTR
            if result < 0 { return nil }
            frames.append(
                [UInt8](UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: zmq_msg_size(&part)))
            )
            if zmq_msg_more(&part) == 0 { return frames }
        }
    }

    private static func problem(_ call: String) -> Problem {
        Problem(
            "test.socket",
            verbatim: "\(call): \(zmq_strerror(zmq_errno()).map { String(cString: $0) } ?? "?")"
        )
    }
}

/// The reply to a raw request.
package struct RawReply: Sendable {
    package var header: ReplyHeader
    package var body: [UInt8]

    /// Returns `nil` if the frames are not a reply.
    ///
    /// The empty frame of a REQ envelope may come first.
    package init?(_ frames: [[UInt8]]) {
        let content = frames.first?.isEmpty == true ? Array(frames.dropFirst()) : frames
        guard content.count == 2, let header = ReplyHeader.read(content[0]) else { return nil }
        self.header = header
        body = content[1]
    }

    /// The problem of a failed request. `nil` for a success.
    package var problem: Problem? { header.ok ? nil : try? Problem.decodedBody(body) }
}

extension RawPeer {
    /// Sends one valid request and returns the next reply.
    package func ask(
        _ route: String,
        _ body: [UInt8] = [UInt8]("{}".utf8),
        id: String = "1",
        key: String? = nil,
        withinMs: Int64 = 10_000
    ) throws -> RawReply {
        let header = RequestHeader(id: id, route: route, idempotencyKey: key)
        return try exchange([header.encoded(), body], withinMs: withinMs)
    }

    /// Sends frames unchanged and returns the next reply.
    package func exchange(_ frames: [[UInt8]], withinMs: Int64 = 10_000) throws -> RawReply {
        guard send(frames, withinMs: Int32(clamping: withinMs)) else {
            throw NotYet("the request was not taken")
        }
        guard let answer = receive(withinMs: withinMs) else { throw NotYet("no answer came") }
        guard let reply = RawReply(answer) else {
            throw NotYet("the answer is no reply: \(answer.map { String(decoding: $0, as: UTF8.self) })")
        }
        return reply
    }
}
