package import STBus
import STCZeroMQ
import STContracts
package import STPlatform

/// A ROUTER socket for other machines: CURVE over TCP, and only for known keys.
///
/// libzmq checks a key only in the handshake. To disconnect a machine, the door therefore binds again, and the other machines
/// reconnect by themselves. Without a socket that checks keys, CURVE would admit every machine, so that socket is bound first.
package final class DeviceEndpoint {
    private static let turnMax = 64
    /// libzmq releases an address a little after `unbind`.
    private static let retryDelay = Duration.milliseconds(20)
    private static let slowRetryDelay = Duration.seconds(5)
    private static let retriesMax = 250
    /// Limits for unauthenticated connections. A household's machines behind one address may all reconnect at the same time.
    private static let unknown = ConnectionLimiter(unknownMax: 8_000, ofAddressMax: 2_000)
    private static let authenticationAddress = "inproc://zeromq.zap.01"

    private let loop: BusLoop
    private let endpoint: String
    private let secret: [UInt8]
    /// A prefix of this door's routing ids, so that no reply goes to a peer of another socket.
    private let mark = Array(Identifier.make(wallMs: Stopwatch.bootMilliseconds()).utf8)
    private let authenticationSocket: ZMQSocket
    private var router: ZMQSocket?
    private var monitor: ConnectionMonitor?
    private var admitted: [[UInt8]: Principal.Remote] = [:]
    private var isClosed = false
    private let onRequest: (_ peer: [UInt8], _ frames: [[UInt8]], Principal) -> Void
    private let onFailure: (Problem) -> Void

    /// Must be called on the loop's thread. Admits no machine before `admit`.
    ///
    /// `onFailure` is called if the address could not be bound again for some seconds. The door continues to try.
    package init(
        _ loop: BusLoop,
        endpoint: String,
        secret: [UInt8],
        onFailure: @escaping (Problem) -> Void,
        _ onRequest: @escaping (_ peer: [UInt8], _ frames: [[UInt8]], Principal) -> Void
    ) throws {
        self.loop = loop
        self.endpoint = endpoint
        self.secret = secret
        self.onRequest = onRequest
        self.onFailure = onFailure
        authenticationSocket = try ZMQSocket(loop.context, .router)
        do {
            try authenticationSocket.set(ZMQ_LINGER, 0)
            try authenticationSocket.bind(Self.authenticationAddress)
        } catch {
            authenticationSocket.close()
            throw error
        }
        loop.waiter.watch(authenticationSocket) { [unowned self] in answerAuthentication() }
        do {
            try open()
        } catch {
            close()
            throw error
        }
    }

    package func admit(_ keys: [[UInt8]: Principal.Remote]) {
        let isCut = admitted.contains { keys[$0.key] != $0.value }
        admitted = keys
        guard isCut else { return }
        closeRouter()
        reopen(0)
    }

    private func reopen(_ tries: Int) {
        guard !isClosed, router == nil else { return }
        do {
            try open()
        } catch {
            if tries == Self.retriesMax { onFailure(Problem(error)) }
            let delay = tries < Self.retriesMax ? Self.retryDelay : Self.slowRetryDelay
            loop.thread.after(milliseconds: delay.ms) { [weak self] in self?.reopen(tries + 1) }
        }
    }

    /// Sends a reply. Returns false if the peer does not belong to this door.
    package func reply(to peer: [UInt8], _ frames: [[UInt8]]) -> Bool {
        guard peer.starts(with: mark) else { return false }
        _ = router?.send([Array(peer.dropFirst(mark.count))] + frames)
        return true
    }

    package func close() {
        isClosed = true
        closeRouter()
        loop.waiter.unwatch(authenticationSocket)
        // Unbind immediately, so that another door can use the name.
        authenticationSocket.unbind(Self.authenticationAddress)
        authenticationSocket.close()
    }

    private func open() throws {
        let socket = try ZMQSocket(loop.context, .router)
        do {
            try socket.set(ZMQ_LINGER, 0)
            try socket.set(ZMQ_ROUTER_MANDATORY, 1)
            try socket.set(ZMQ_MAXMSGSIZE, long: BusLimits.socketBytes)
            try socket.set(ZMQ_SNDHWM, 200)
            try socket.set(ZMQ_RCVHWM, 200)
            try socket.set(ZMQ_BACKLOG, 256)
            try socket.set(ZMQ_HANDSHAKE_IVL, ServerSockets.handshakeMs)
            try socket.set(ZMQ_CURVE_SERVER, 1)
            try socket.set(ZMQ_CURVE_SECRETKEY, bytes: secret)
            try socket.set(ZMQ_ZAP_DOMAIN, bytes: Array("household".utf8))
            try CurveClient.keepAlive(socket)
            monitor = try ConnectionMonitor(loop, socket, machines: Self.unknown)
            try socket.bind(endpoint)
        } catch {
            monitor?.close()
            monitor = nil
            socket.close()
            throw error
        }
        router = socket
        loop.waiter.watch(socket) { [unowned self] in drain(socket) }
    }

    private func closeRouter() {
        guard let router else { return }
        loop.waiter.unwatch(router)
        monitor?.close()
        monitor = nil
        // The address must be free before it is bound again.
        router.unbind(endpoint)
        router.close()
        self.router = nil
    }

    private func drain(_ socket: ZMQSocket) -> Bool {
        for _ in 0..<Self.turnMax {
            // The handler of a request may have disconnected a machine, and with it this socket.
            guard socket === router else { return true }
            guard let message = socket.receive(frameLimit: BusLimits.frames + 3, wantsPeer: true) else {
                return true
            }
            // A machine may have sent this before it was disconnected.
            guard let peer = message.frames.first, let remote = message.principal.remote,
                admitted.values.contains(remote)
            else { continue }
            onRequest(mark + peer, Array(message.frames.dropFirst()), message.principal)
        }
        return false
    }

    /// Answers libzmq's request to check a key (ZAP, RFC 27). Its frames are version, id, domain, address, routing id, mechanism
    /// and key.
    private func answerAuthentication() -> Bool {
        for _ in 0..<Self.turnMax {
            guard let message = authenticationSocket.receive(frameLimit: 9) else { return true }
            let frames = message.frames
            guard frames.count >= 5 else { continue }
            let isCurve = frames.count == 9 && frames[7] == Array("CURVE".utf8)
            let remote = isCurve ? admitted[frames[8]] : nil
            let answer = remote == nil ? ["400", "unknown key", ""] : ["200", "OK", remote?.userID ?? ""]
            _ = authenticationSocket.send(frames[..<4] + (answer + [""]).map { Array($0.utf8) })
        }
        return false
    }
}
