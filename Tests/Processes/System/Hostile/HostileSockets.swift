import STContracts
import STPlatform
import STTestKit
import STTestSupport

/// Attacks on the sockets themselves, below the protocol.
struct HostileSockets {
    private let rpc: String
    private let events: String
    private var random: SeededRandom

    init(_ system: TestSystem, _ service: ServiceName, random: SeededRandom) throws {
        rpc = try system.endpoint(service, .rpc)
        events = try system.endpoint(service, .events)
        self.random = random
    }

    /// Sends subscriptions of any length and invalid messages, from a peer that then disconnects.
    mutating func subscribe(_ count: Int) throws {
        let peer = try RawPeer(.rawSubscriber, events)
        defer { peer.close() }
        for _ in 0..<count {
            let flag: UInt8 = random.pick([1, 1, 1, 0, 2, 255]) ?? 1
            // A peer whose subscription is too long for the socket is disconnected, and sends it again after it reconnects.
            let size = random.pick([0, 1, 5, 100, 127, 128, 129, 250, 255, 400]) ?? 0
            let prefix = random.pick(["~sync.", "~trace.", "~head.usage", "usage.", ""]) ?? ""
            let plain: [UInt8] = Array(prefix.utf8) + Array(repeating: UInt8(ascii: "a"), count: size)
            let topic: [UInt8] = random.chance(percent: 50) ? random.bytes(size) : plain
            var frames: [[UInt8]] = [[flag] + topic]
            if random.chance(percent: 10) { frames.append(random.bytes(20)) }
            guard peer.send(frames, withinMs: 10_000) else { throw NotYet("the events socket takes no more") }
            while peer.receive() != nil {}
        }
        // The reply to a marker shows that all earlier messages were read.
        try proveRead(peer)
    }

    private func proveRead(_ peer: RawPeer) throws {
        let marker = Topic.syncPrefix + "0123456789abcdef"
        guard peer.send([[1] + Array(marker.utf8)], withinMs: 10_000) else {
            throw NotYet("no room for the marker")
        }
        let deadlineMs = Stopwatch.milliseconds() + 20_000
        while Stopwatch.milliseconds() < deadlineMs {
            guard let frames = peer.receive(withinMs: 1000) else { continue }
            if frames.first == Array(marker.utf8) { return }
        }
        throw NotYet("the marker was not answered")
    }

    /// Sends a subscription of this length over ZMTP by hand, and closes the connection.
    ///
    /// libzmq keeps subscriptions in a tree with a level for each byte, and the sender's own tree would exhaust the stack first.
    ///
    /// Returns true if the subscription was accepted, and false if the connection was closed for it.
    @discardableResult
    func subscribeLong(bytes: Int) throws -> Bool {
        let connection = try RawConnection(events)
        let greeting: [UInt8] = [0xFF] + Array(repeating: 0, count: 8) + [0x7F, 3, 0] + Array("NULL".utf8)
        let ready =
            [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 3] + Array("SUB".utf8)
        let hello =
            greeting + Array(repeating: 0, count: 64 - greeting.count) + [4, UInt8(ready.count)] + ready
        guard connection.send(hello), connection.receives(Array("XPUB".utf8), withinMs: 20_000) else {
            throw NotYet("the greeting was not answered")
        }
        let length = withUnsafeBytes(of: UInt64(bytes + 1).bigEndian) { Array($0) }
        let long = [2] + length + [1] + Array(repeating: UInt8(ascii: "b"), count: bytes)
        let marker = Array("\(Topic.syncPrefix)0123456789abcdef".utf8)
        // The reply to the marker shows that everything before it was accepted.
        guard connection.sendAll(long + [0, UInt8(marker.count + 1), 1] + marker, withinMs: 20_000) else {
            return false
        }
        if connection.receives(marker, withinMs: 20_000) { return true }
        guard connection.isClosed(withinMs: 20_000) else {
            throw NotYet("a subscription of \(bytes) bytes was neither taken nor the connection closed")
        }
        return false
    }

    /// Sends bytes that are not ZeroMQ and incomplete greetings, and opens silent connections.
    mutating func garbage(_ count: Int) throws {
        var open: [RawConnection] = []
        for index in 0..<count {
            let connection = try RawConnection(index % 2 == 0 ? rpc : events)
            let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 1] + Array("NULL".utf8)
            switch random.number(0...5) {
            case 0: connection.send(random.bytes(random.number(1...4000)))
            case 1: connection.send(Array(greeting.prefix(random.number(1...greeting.count))))
            case 2: connection.send(greeting + Array(repeating: 0, count: 48) + random.bytes(200))
            case 3: connection.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            // A frame that claims the maximum length.
            case 4:
                connection.send(
                    greeting + Array(repeating: 0, count: 48) + [2] + Array(repeating: 0x7F, count: 8) + [5]
                )
            default: break
            }
            open.append(connection)
            // A few stay half open, far fewer than the service's descriptor limit.
            if open.count > 20 { open.removeFirst(random.number(1...20)) }
        }
    }

    /// Sends more than the socket accepts. There is no reply, and another peer is still served.
    func sendTooMuch() throws {
        let large = try RawPeer(.dealer, rpc)
        let other = try RawPeer(.dealer, rpc)
        defer {
            large.close()
            other.close()
        }
        _ = try other.ask(HealthPing.name)
        _ = try large.ask(HealthPing.name)
        let body = Array(repeating: UInt8(ascii: " "), count: Int(BusLimits.socketBytes) + 1)
        let header = RequestHeader(id: "1", route: HealthPing.name).encoded()
        guard large.send([header, body], withinMs: 10_000) else { throw NotYet("not taken") }
        guard large.receive(withinMs: 300) == nil else { throw NotYet("more than 1 MiB was answered") }
        _ = try other.ask(HealthPing.name)
        // libzmq reconnects by itself.
        _ = try large.ask(HealthPing.name)
    }
}
