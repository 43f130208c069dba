import Glibc
import STCZeroMQ
import STContracts

/// The monitor of the app `simulated.app`. It is called like any other monitor and does nothing.
@main
enum Main {
    static func main() {
        guard let address = getenv(ExtensionEnvironment.host).map({ String(cString: $0) }),
            let app = getenv(ExtensionEnvironment.app).map({ String(cString: $0) }),
            let context = zmq_ctx_new(), let socket = zmq_socket(context, ZMQ_DEALER),
            zmq_connect(socket, address) == 0
        else {
            print("This is started by monitor-runner.")
            exit(64)
        }
        do {
            try send(socket, kind: .hello, body: ExtensionHello(point: .monitor, app: app))
            while let frames = receive(socket),
                let kind = frames.first.flatMap({ ExtensionProtocol.Kind(frame: $0) })
            {
                switch kind {
                case .call:
                    let call = try ExtensionCall.decodedBody(frames.last ?? [])
                    try send(socket, kind: .returned, body: ExtensionReturned(id: call.id))
                    try send(socket, kind: .settled, body: ExtensionSettled(id: call.id))
                case .end: exit(0)
                case .hello, .request, .reply, .returned, .settled: break
                }
            }
        } catch {
            print("\(error)")
            exit(70)
        }
    }

    private static func send(
        _ socket: UnsafeMutableRawPointer,
        kind: ExtensionProtocol.Kind,
        body: some WireBody
    )
        throws
    {
        let bytes = try body.encodedBody()
        _ = kind.frame.withUnsafeBytes { zmq_send(socket, $0.baseAddress, $0.count, ZMQ_SNDMORE) }
        _ = bytes.withUnsafeBytes { zmq_send(socket, $0.baseAddress, $0.count, 0) }
    }

    /// Returns one message, or `nil` if the connection has ended.
    private static func receive(_ socket: UnsafeMutableRawPointer) -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        var part = zmq_msg_t()
        repeat {
            zmq_msg_init(&part)
            defer { zmq_msg_close(&part) }
            var result: Int32
            repeat {
                result = zmq_msg_recv(&part, socket, 0)
            } while result < 0 && zmq_errno() == EINTR
            if result < 0 { return nil }
            frames.append(
                [UInt8](UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: zmq_msg_size(&part)))
            )
            if zmq_msg_more(&part) == 0 { return frames }
        } while true
    }
}
