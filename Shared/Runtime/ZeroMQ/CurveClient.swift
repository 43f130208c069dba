import STCZeroMQ

/// The keys of a connection to another machine with CURVE, libzmq's encryption.
package struct CurveClient: Sendable, Equatable {
    package var secret: [UInt8]
    package var publicKey: [UInt8]
    /// The public key that the server must have.
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
        // The pace of reconnects to a server that refuses the key.
        try socket.set(ZMQ_RECONNECT_IVL, 200)
        try socket.set(ZMQ_RECONNECT_IVL_MAX, 5_000)
    }

    /// Sends heartbeats, because an unplugged cable is noticed only if something is sent.
    static func keepAlive(_ socket: ZMQSocket) throws {
        try socket.set(ZMQ_HANDSHAKE_IVL, 5_000)
        try socket.set(ZMQ_HEARTBEAT_IVL, 5_000)
        try socket.set(ZMQ_HEARTBEAT_TIMEOUT, 10_000)
    }
}
