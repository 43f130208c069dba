import STCZeroMQ

/// The keys of a connection to another machine: CURVE, as libzmq speaks it.
package struct CurveClient: Sendable, Equatable {
    package var secret: [UInt8]
    package var publicKey: [UInt8]
    /// The server's, which must be the one that is known.
    package var server: [UInt8]

    package init(secret: [UInt8], publicKey: [UInt8], server: [UInt8]) {
        self.secret = secret
        self.publicKey = publicKey
        self.server = server
    }

    func secure(_ socket: ZMQSocket) throws {
        try socket.set(ZMQ_CURVE_SERVERKEY, bytes: server)
        try socket.set(ZMQ_CURVE_PUBLICKEY, bytes: publicKey)
        try socket.set(ZMQ_CURVE_SECRETKEY, bytes: secret)
        try Self.keepAlive(socket)
        // A door that refuses a key is asked again at this pace.
        try socket.set(ZMQ_RECONNECT_IVL, 200)
        try socket.set(ZMQ_RECONNECT_IVL_MAX, 5_000)
    }

    /// A cable that was pulled shows only when something is said.
    static func keepAlive(_ socket: ZMQSocket) throws {
        try socket.set(ZMQ_HANDSHAKE_IVL, 5_000)
        try socket.set(ZMQ_HEARTBEAT_IVL, 5_000)
        try socket.set(ZMQ_HEARTBEAT_TIMEOUT, 10_000)
    }
}
